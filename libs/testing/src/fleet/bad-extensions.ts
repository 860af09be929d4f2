type Files = Readonly<Record<string, string>>;

export const faultKinds = ['fatal', 'front', 'blank', 'slow', 'admin'] as const;
export type FaultKind = (typeof faultKinds)[number];

const symptoms: Record<FaultKind, string> = {
  fatal: `epave_that_nobody_wrote();`,
  front: `add_action('template_redirect', function () {\n    epave_that_nobody_wrote();\n});`,
  blank: `add_action('template_redirect', function () {\n    while (ob_get_level() > 0 && ob_end_clean()) {}\n    exit;\n}, 0);`,
  slow: `add_action('template_redirect', function () {\n    sleep(30);\n});`,
  admin: `foreach (['login_init', 'admin_init'] as $hook) {\n    add_action($hook, function () {\n        epave_that_nobody_wrote();\n    });\n}`,
};

export const addFault = (files: Files, slug: string, fault: FaultKind): Files => ({
  ...files,
  [`${slug}.php`]: `${files[`${slug}.php`]}\n${symptoms[fault]}\n`,
});

/** The bad versions after 1.3.0 are 1.3.1 to 1.3.5. */
export const badVersion = (good: string, fault: FaultKind) =>
  `${good.split('.').slice(0, 2).join('.')}.${faultKinds.indexOf(fault) + 1}`;
