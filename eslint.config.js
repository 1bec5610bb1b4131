import neostandard from 'neostandard'

export default [
  ...neostandard({ ts: true, ignores: ['dist/**', 'packages/*/dist/**', 'packages/client/src/openapi.ts', 'data/**', '.tap/**', 'examples/**'] }),
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parserOptions: { project: ['./test/tsconfig.json', './web/tsconfig.json', './packages/tsconfig.json'] } },
    rules: {
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: true }],
      '@typescript-eslint/no-redeclare': 'off',
      '@stylistic/quote-props': 'off',
      'no-void': ['error', { allowAsStatement: true }],
      // Text is cleaned of control characters in several places: the expressions mean them.
      'no-control-regex': 'off',
      // Names of the API and of the database are snake_case.
      camelcase: 'off',
      '@stylistic/object-property-newline': ['error', { allowAllPropertiesOnSameLine: true }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@stylistic/max-len': ['error', { code: 140, ignoreUrls: true, ignoreRegExpLiterals: true }],
      'n/no-process-env': 'off'
    }
  },
  {
    files: ['web/**/*.tsx'],
    rules: {
      '@stylistic/jsx-closing-tag-location': ['error', 'line-aligned'],
      '@stylistic/jsx-closing-bracket-location': ['error', 'line-aligned'],
      '@stylistic/jsx-indent': 'off',
      'react/jsx-handler-names': 'off'
    }
  },
  {
    // The page of the one-time link is served as it is written.
    files: ['web/setup.js', 'web/setup.texts.js', 'web/sign-in.js'],
    languageOptions: {
      globals: {
        document: 'readonly',
        location: 'readonly',
        history: 'readonly',
        addEventListener: 'readonly',
        NodeFilter: 'readonly'
      }
    }
  },
  {
    files: ['web/guide/guide.js'],
    languageOptions: {
      globals: { document: 'readonly', addEventListener: 'readonly', localStorage: 'readonly', matchMedia: 'readonly' }
    }
  },
  {
    files: ['web/push-worker.js'],
    languageOptions: { globals: { self: 'readonly' } }
  },
  {
    files: ['lib/**/*.ts', 'plugins/**/*.ts', 'routes/**/*.ts', 'schemas/**/*.ts'],
    ignores: ['plugins/config.ts'],
    rules: { 'n/no-process-env': 'error' }
  },
  {
    files: ['test/**/*.ts', 'packages/*/test/**/*.ts'],
    // Without the one rule that asks for types, nobody works them out.
    languageOptions: { parserOptions: { project: null } },
    rules: {
      // tap runs a subtest whose promise nobody awaits in its turn.
      '@typescript-eslint/no-floating-promises': 'off'
    }
  }
]
