// npx orval --config orval.config.mjs
const input = process.env.OPENAPI ?? 'http://localhost:3000/openapi.json'
const override = { mutator: { path: 'orval-fetch.ts', name: 'send', extension: '.js' } }

export default {
  steward: { input, output: { target: 'steward/orval.ts', client: 'fetch', override } },
  checks: { input, output: { target: 'steward/orval-zod.ts', client: 'zod' } }
}
