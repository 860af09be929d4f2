import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { badVersion, faultKinds, addFault } from './bad-extensions';

/** Contents of a plugin's or theme's files, by path below its folder. */
export type Files = Readonly<Record<string, string>>;

type Head = Readonly<Record<string, string>>;

export function writeFiles(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

const header = (lines: Head) =>
  ['/*', ...Object.entries(lines).map(([name, value]) => ` * ${name}: ${value}`), ' */'].join('\n');

const php = (head: Head, body: string) => `<?php\n${header(head)}\n\n${body}\n`;

export const versions = {
  vitrine: { installed: '1.2.0', offered: '1.3.0' },
  formulaire: { installed: '2.0.1', offered: '2.1.0' },
  relais: { installed: '0.9', offered: '1.0' },
  'boussole-pro': { installed: '3.0.0', offered: '3.1.0' },
  phare: { installed: '1.0', offered: '1.1' },
} as const;

/** Version of Sonde, a plugin that no site has. */
const sondeVersion = '1.4.0';

const vitrine = (version: string): Files => ({
  'vitrine.php': php(
    {
      'Plugin Name': 'Vitrine',
      'Plugin URI': 'https://example.org/vitrine',
      Description: 'Shows what is in the window.',
      Version: version,
      Author: 'Atelier du Port',
      'Author URI': 'https://example.org',
      'Text Domain': 'vitrine',
      'Requires PHP': '7.4',
    },
    `add_action('wp_footer', function () {\n    echo '<!-- vitrine ${version} -->';\n});`,
  ),
  'readme.txt': `=== Vitrine ===\nStable tag: ${version}\n\nShows what is in the window.\n`,
  'assets/vitrine.css': `.vitrine { content: "${version}"; }\n`,
});

const formulaire = (version: string): Files => ({
  'formulaire.php': php(
    {
      'Plugin Name': 'Formulaire',
      Description: 'A form.',
      Version: version,
      Author: 'Atelier du Port',
      Network: 'false',
    },
    `require __DIR__ . '/includes/form.php';\nadd_shortcode('formulaire', 'formulaire_render');`,
  ),
  'includes/form.php': `<?php\nfunction formulaire_render() {\n    return '<form data-version="${version}"></form>';\n}\n`,
});

const relais = (version: string): Files => ({
  'relais.php': php(
    { 'Plugin Name': 'Relais', Description: 'Passes mails on.', Version: version, Author: 'Atelier du Port' },
    `add_filter('wp_mail_from_name', fn () => 'Relais');`,
  ),
});

const sonde = (version: string): Files => ({
  'sonde.php': php(
    { 'Plugin Name': 'Sonde', Description: 'Knows how deep it is.', Version: version, Author: 'Atelier du Port' },
    `add_action('wp_footer', function () {\n    echo '<!-- sonde ${version} -->';\n});`,
  ),
});

/** A paid plugin, unknown to WordPress.org: it adds its own offer, without an archive when there is no licence. */
const boussole = (version: string): Files => ({
  'boussole-pro.php': php(
    { 'Plugin Name': 'Boussole Pro', Description: 'Knows where it goes.', Version: version, Author: 'Boussole SARL' },
    [
      `add_filter('pre_set_site_transient_update_plugins', function ($updates) {`,
      `    if (is_object($updates) && version_compare('${version}', '${versions['boussole-pro'].offered}', '<')) {`,
      `        $updates->response['boussole-pro/boussole-pro.php'] = (object) [`,
      `            'id' => 'boussole.example/boussole-pro', 'slug' => 'boussole-pro',`,
      `            'plugin' => 'boussole-pro/boussole-pro.php', 'new_version' => '${versions['boussole-pro'].offered}',`,
      `            'url' => 'https://boussole.example',`,
      `            'package' => get_option('boussole_licence', 'valid') !== 'valid' ? ''`,
      `                : 'https://downloads.wordpress.org/plugin/boussole-pro.${versions['boussole-pro'].offered}.zip',`,
      `        ];`,
      `    }`,
      `    return $updates;`,
      `});`,
    ].join('\n'),
  ),
});

const phare = (version: string): Files => ({
  'style.css': `${header({ 'Theme Name': 'Phare', Version: version, Author: 'Atelier du Port', 'Text Domain': 'phare' })}\n`,
  'functions.php': `<?php\nadd_theme_support('title-tag');\n`,
  'index.php': [
    '<!doctype html>',
    '<html <?php language_attributes(); ?>><head><?php wp_head(); ?></head>',
    `<body <?php body_class('phare-${version}'); ?>><h1><?php bloginfo('name'); ?></h1>`,
    '<?php while (have_posts()) { the_post(); the_title("<h2>", "</h2>"); the_content(); } ?>',
    '<?php wp_footer(); ?></body></html>',
    '',
  ].join('\n'),
});

const makers = { vitrine, formulaire, relais, 'boussole-pro': boussole };

export const plugins = (state: 'installed' | 'offered'): Record<string, Files> =>
  Object.fromEntries(
    Object.entries(makers).map(([slug, make]) => [slug, make(versions[slug as keyof typeof makers][state])]),
  );

type BadPlugin = { slug: string; version: string; files: Files };

const badPlugins = (slug: string, good: string, make: (version: string) => Files): BadPlugin[] =>
  faultKinds.map((fault) => {
    const version = badVersion(good, fault);
    return { slug, version, files: addFault(make(version), slug, fault) };
  });

/** Plugin archives that are never offered as updates. */
export const unofferedPlugins: readonly BadPlugin[] = [
  { slug: 'sonde', version: sondeVersion, files: sonde(sondeVersion) },
  ...badPlugins('sonde', sondeVersion, sonde),
  ...badPlugins('vitrine', versions.vitrine.offered, vitrine),
  ...badPlugins('formulaire', versions.formulaire.offered, formulaire),
  ...badPlugins('relais', versions.relais.offered, relais),
];

export const themes = (state: 'installed' | 'offered'): Record<string, Files> => ({
  phare: phare(versions.phare[state]),
});

export const balise: Files = {
  'style.css': `${header({ 'Theme Name': 'Balise', Template: 'phare', Version: '1.0', Author: 'Atelier du Port' })}\n`,
};

export const ancre: Files = {
  'ancre.php': php(
    { 'Plugin Name': 'Ancre', Description: 'A plugin of one file.', Version: '1.0', Author: 'Atelier du Port' },
    `add_filter('the_generator', '__return_empty_string');`,
  ),
};

export const garde: Files = {
  'mu-plugins/garde.php': php(
    { 'Plugin Name': 'Garde', Description: 'Must be used.', Version: '0.3', Author: 'Atelier du Port' },
    `add_filter('xmlrpc_enabled', '__return_false');`,
  ),
  'mu-plugins/sans-nom.php': '<?php\n// A mu-plugin need not have a header.\n',
};

const fatal = php(
  { 'Plugin Name': 'Avarie', Description: 'Kills PHP.', Version: '1.0', Author: 'Personne' },
  `add_action('init', function () {\n    avarie_function_that_nobody_wrote();\n});`,
);
export const avarie: Files = { 'plugins/avarie/avarie.php': fatal };
/** Where Avarie makes PHP fail, and PHP's message. */
export const fault = {
  file: 'wp-content/plugins/avarie/avarie.php',
  line: fatal.slice(0, fatal.indexOf('avarie_function')).split('\n').length,
  message: 'Call to undefined function avarie_function_that_nobody_wrote()',
};

export const crieur: Files = {
  'plugins/crieur/crieur.php': php(
    { 'Plugin Name': 'Crieur', Description: 'Cannot be quiet.', Version: '1.1', Author: 'Personne' },
    [
      `echo "{\\"plugins\\": \\"bruit au chargement\\"}\\n";`,
      `trigger_error('un avertissement du crieur', E_USER_WARNING);`,
      `add_action('init', function () {\n    echo $crieur_unset;\n});`,
      `register_shutdown_function(function () {\n    echo "\\n[bruit à la fin]\\n";\n});`,
    ].join('\n'),
  ),
};

export const etrange: Files = {
  'plugins/é trange/étrange.php': php(
    {
      'Plugin Name': `<b>Gras</b> & "guillemets" l'été 🎉 <script>alert(1)</script>`,
      Description: `Une <em>description</em> avec \\ et %s et \${x}`,
      Version: `1.0-bêta "2" <i>`,
      Author: `O'Neil & Fils <ne@example.org>`,
      'Plugin URI': 'javascript:alert(1)',
    },
    `add_filter('the_title', fn ($title) => $title);`,
  ),
};
