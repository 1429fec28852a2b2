import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** Where the environment may be read: the configuration, the processes' entry points, tests. */
const environmentReaders = [
  'libs/runtime/src/**',
  'apps/*/src/main.ts',
  'test/**',
  '**/contract/**',
  '**/testing/**',
  '**/*.spec.ts',
];

const noDefaultExport = {
  selector: 'ExportDefaultDeclaration, ExportSpecifier[exported.name="default"]',
  message: 'Export by name: a name is searched for and renamed in one place.',
};

/** Handing the whole environment on to a child process is not reading it. */
const noEnvironment = {
  selector:
    'MemberExpression[object.name="process"][property.name="env"]:not(SpreadElement > MemberExpression)',
  message: 'The environment is read once, into UptakeConfig (libs/runtime/src/config.ts).',
};

export default defineConfig(
  { ignores: ['dist/', 'coverage/', '.data/', 'node_modules/'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'no-restricted-syntax': ['error', noDefaultExport, noEnvironment],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      '@typescript-eslint/prefer-promise-reject-errors': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { allowDefaultCaseForExhaustiveSwitch: false, considerDefaultExhaustiveForUnions: false },
      ],
      // An implementation of an asynchronous port may have nothing to wait for.
      '@typescript-eslint/require-await': 'off',
      // The compiler reports what is unused (noUnusedLocals, noUnusedParameters).
      '@typescript-eslint/no-unused-vars': 'off',
    },
  },
  {
    files: environmentReaders,
    rules: { 'no-restricted-syntax': ['error', noDefaultExport] },
  },
  {
    // Jest asks for these two by their default export.
    files: ['test/support/global-setup.ts', 'test/support/global-teardown.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    // Specs read answers as they come over the wire; a wrong shape fails the assertion.
    files: ['**/*.spec.ts', '**/contract/**/*.ts', '**/testing/**/*.ts', 'test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
);
