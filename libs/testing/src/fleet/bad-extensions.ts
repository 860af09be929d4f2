type Files = Readonly<Record<string, string>>;

/** What goes wrong on a site that has the version. */
export const faultKinds = ['fatal', 'front', 'blank', 'slow', 'admin'] as const;
export type FaultKind = (typeof faultKinds)[number];

const symptoms: Record<FaultKind, string> = {
  fatal: `epave_that_nobody_wrote();`,
  front: `add_action('template_redirect', function () {\n    epave_that_nobody_wrote();\n});`,
  blank: `add_action('template_redirect', function () {\n    while (ob_get_level() > 0 && ob_end_clean()) {}\n    exit;\n}, 0);`,
  slow: `add_action('template_redirect', function () {\n    sleep(30);\n});`,
  admin: `foreach (['login_init', 'admin_init'] as $hook) {\n    add_action($hook, function () {\n        epave_that_nobody_wrote();\n    });\n}`,
};

/** The files of a plugin, whose main one it spoils. */
export const spoil = (files: Files, slug: string, ill: FaultKind): Files => ({
  ...files,
  [`${slug}.php`]: `${files[`${slug}.php`]}\n${symptoms[ill]}\n`,
});

/** 1.3.1 to 1.3.5 after 1.3.0. */
export const badVersion = (good: string, ill: FaultKind) =>
  `${good.split('.').slice(0, 2).join('.')}.${faultKinds.indexOf(ill) + 1}`;
