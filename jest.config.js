const compile = (tsx) => [
  '@swc/jest',
  {
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', decorators: true, tsx },
      transform: {
        legacyDecorator: true,
        decoratorMetadata: true,
        useDefineForClassFields: true,
        react: { runtime: 'automatic' },
      },
      keepClassNames: true,
    },
    module: { type: 'es6' },
    sourceMaps: 'inline',
  },
];

const project = {
  testEnvironment: 'node',
  roots: ['apps', 'libs', 'tools', 'docker', 'k8s'].map((folder) => `<rootDir>/${folder}`),
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleFileExtensions: ['ts', 'tsx', 'js', 'mjs', 'cjs', 'json', 'node'],
  testEnvironmentOptions: { customExportConditions: ['@vigie/source', 'node', 'node-addons'] },
  transform: {
    '^.+\\.ts$': compile(false),
    '^.+\\.tsx$': compile(true),
    '\\.(sh|php)$': '<rootDir>/tools/test/text-module.cjs',
  },
};

// medium: `npm test` gives these the servers' addresses, and builds the services that they start.
export default {
  testSequencer: '<rootDir>/tools/test/long-first.mjs',
  // Signs of life for `npm test`, which ends a part in which nothing moves.
  reporters: ['default', '<rootDir>/tools/test/progress.mjs'],
  // A limit against hanging, not a measure: a busy machine starts ten processes slowly.
  testTimeout: 180_000,
  projects: [
    { ...project, displayName: 'unit', testRegex: '(?<!\\.medium)\\.spec\\.tsx?$' },
    { ...project, displayName: 'medium', testRegex: '\\.medium\\.spec\\.ts$' },
  ],
};
