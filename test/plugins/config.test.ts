import t from '../tap.js'
import { readConfig } from '../../plugins/config.js'

const sonnet = 'claude-sonnet-5-5'
const bedrock = { MODEL_PROVIDER: 'bedrock', ANTHROPIC_MODEL: sonnet }

const wrong: [Record<string, string>, RegExp][] = [
  [{ PORT: 'http' }, /PORT/],
  [{ PORT: '99999' }, /PORT/],
  [{ WORKER: 'yes' }, /WORKER: one of true, false, only/],
  [{ SANDBOX: 'on' }, /SANDBOX: one of auto, off/],
  [{ LOG_LEVEL: 'loud' }, /LOG_LEVEL: one of/],
  [{ PUBLIC_URL: 'steward.example.com' }, /PUBLIC_URL/],
  [{ DATABASE_URL: 'mysql://127.0.0.1/steward' }, /DATABASE_URL/],
  [{ DATABASE_POOL: '1' }, /DATABASE_POOL/],
  [{ TRUST_PROXY: '10.0.0.1, all' }, /TRUST_PROXY: all is no address and no network/],
  [{ ADMIN_TOKEN: 'short-token' }, /ADMIN_TOKEN/],
  [{ SECRET_KEY: 'short-key' }, /SECRET_KEY/],
  [{ SECRET_KEY: `${'long'.repeat(10)},short` }, /SECRET_KEY/],
  [{ ANTHROPIC_BASE_URL: 'example.com' }, /ANTHROPIC_BASE_URL/],
  [{ MODEL_PROVIDER: 'azure' }, /MODEL_PROVIDER: one of anthropic, bedrock, vertex/],
  [{ MODEL_PROVIDER: 'bedrock' }, /MODEL_PROVIDER: bedrock needs AWS_REGION as well/],
  [{ MODEL_PROVIDER: 'bedrock', AWS_REGION: 'eu-west-1' }, /MODEL_PROVIDER: bedrock needs ANTHROPIC_MODEL as well/],
  [{ AWS_REGION: 'evil.example/', ...bedrock }, /AWS_REGION is no name of a region/],
  [{ ANTHROPIC_API_KEY: 'key-of-another', ...bedrock, AWS_REGION: 'eu-west-1' },
    /ANTHROPIC_API_KEY is no key for MODEL_PROVIDER=bedrock/],
  [{ ANTHROPIC_TOOL_SEARCH: 'server', ...bedrock, AWS_REGION: 'eu-west-1' },
    /ANTHROPIC_TOOL_SEARCH: server is not for MODEL_PROVIDER=bedrock/],
  [{ ANTHROPIC_MODEL: 'us.anthropic.house-v1:0', MODEL_PROVIDER: 'bedrock', AWS_REGION: 'eu-west-1' },
    /ANTHROPIC_MODEL: the price of us.anthropic.house-v1:0 is not known/],
  [{ MODEL_PROVIDER: 'vertex', CLOUD_ML_REGION: 'global' },
    /MODEL_PROVIDER: vertex needs ANTHROPIC_VERTEX_PROJECT_ID as well/],
  [{ CLOUD_ML_REGION: 'Global!', MODEL_PROVIDER: 'vertex', ANTHROPIC_VERTEX_PROJECT_ID: 'p1', ANTHROPIC_MODEL: sonnet },
    /CLOUD_ML_REGION is no name of a region/],
  [{ CODEHOST_CLIENT_ID: 'id' }, /CODEHOST_CLIENT_ID needs CODEHOST_CLIENT_SECRET as well/],
  [{ CODEHOST_CLIENT_SECRET: 'half-configured' }, /CODEHOST_CLIENT_SECRET needs CODEHOST_CLIENT_ID as well/],
  [{ CODEHOST_CLIENT_SECRET: 'two words', CODEHOST_CLIENT_ID: 'id' }, /CODEHOST_CLIENT_SECRET/],
  [{ CODEHOST_API_URL: 'https://api.example.com' }, /CODEHOST_API_URL needs CODEHOST_URL as well/],
  [{ CODEHOST_URL: 'https://user:pass@git.example.com' }, /CODEHOST_URL: an address without user, password/],
  [{ CODEHOST_URL: 'https://git.example.com/?a=b' }, /CODEHOST_URL: an address without/],
  [{ CODEHOST_SIGN_IN: 'acme=member', CODEHOST_URL: 'https://git.example.com' }, /CODEHOST_SIGN_IN needs CODEHOST_CLIENT/],
  [{ CODEHOST_SIGN_IN: 'acme' }, /CODEHOST_SIGN_IN: organisation=role or organisation\/team=role/],
  [{ CODEHOST_SIGN_IN: 'acme=owner' }, /CODEHOST_SIGN_IN: .*viewer, member, admin/],
  [{ CODEHOST_SIGN_IN: 'acme/../x=admin' }, /CODEHOST_SIGN_IN/],
  [{ CODEHOST_SIGN_IN: 'acme#x=admin' }, /CODEHOST_SIGN_IN: .*organisation#number/],
  [{ CODEHOST_PKCE: 'maybe' }, /CODEHOST_PKCE: one of on, off/],
  [{ FAULT: 'somewhere' }, /FAULT/],
  [{ LIMITS: '{' }, /LIMITS is not a JSON object/],
  [{ LIMITS: '[]' }, /LIMITS/],
  [{ LIMITS: '{"wait_s":"long"}' }, /LIMITS wait_s/],
  [{ LIMITS: '{"waits":1}' }, /LIMITS waits/],
  [{ MODEL_PRICES: '{' }, /MODEL_PRICES is not a JSON object/],
  [{ MODEL_PRICES: '{"m":{"input":1}}' }, /MODEL_PRICES m.output/],
  [{ MODEL_PRICES: '{"m":{"input":1,"output":-1}}' }, /MODEL_PRICES m.output/],
  [{ ANTHROPIC_MODEL: 'house-model', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' }, new RegExp('ANTHROPIC_MODEL: the ' +
    'price of house-model is not known; set MODEL_PRICES .* such as {"house-model":{"input":3,"output":15}}')]
]

/** @returns what readConfig says of the environment */
const complaint = (env: Record<string, string>): string => {
  try {
    readConfig(env)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

for (const [env, line] of wrong) {
  const [name = '', value = ''] = Object.entries(env)[0] ?? []
  t.test(`${name}=${value} is refused in one line that names it`, async (t) => {
    t.match(complaint(env), line)
    t.notMatch(complaint(env), /\n/)
    if (/TOKEN|KEY|URL/.test(name)) t.notOk(complaint(env).includes(value), 'a value may be a secret')
  })
}

t.test('nothing need be set, and an empty value is none', async (t) => {
  t.match(readConfig({}), { HOST: '127.0.0.1', PORT: 3000, DATA_DIR: './data', WORKER: 'true', SANDBOX: 'auto' })
  t.same(readConfig({ PORT: '', DATABASE_URL: '', LIMITS: '' }), readConfig({}))
  t.equal(readConfig({}).publicUrl, 'http://127.0.0.1:3000')
  t.equal(readConfig({ PUBLIC_URL: 'https://steward.example.com/' }).publicUrl, 'https://steward.example.com')
})

t.test('the rules of signing in with the code host', async (t) => {
  t.same(readConfig({ CODEHOST_SIGN_IN: ' acme=viewer, acme/platform_x.y=admin ,' }).signInRules, [
    { organisation: 'acme', organisation_id: null, team: null, role: 'viewer' },
    { organisation: 'acme', organisation_id: null, team: 'platform_x.y', role: 'admin' }
  ])
  t.same(readConfig({ CODEHOST_SIGN_IN: 'acme#1234=viewer,acme#1234/platform=member' }).signInRules, [
    { organisation: 'acme', organisation_id: '1234', team: null, role: 'viewer' },
    { organisation: 'acme', organisation_id: '1234', team: 'platform', role: 'member' }
  ])
})

t.test('LIMITS changes single limits', async (t) => {
  const { limits } = readConfig({ LIMITS: '{"wait_s":5}' })
  t.match(limits, { wait_s: 5, parallel_reads: 4 })
})

t.test('the configuration cannot be changed', async (t) => {
  const config = readConfig({})
  t.throws(() => Object.assign(config, { PORT: 1 }))
  t.throws(() => Object.assign(config.limits, { wait_s: 1 }))
})

t.test('a model with a price by configuration is taken, and in the sandbox any', async (t) => {
  const env = { ANTHROPIC_MODEL: 'house-model', ANTHROPIC_API_KEY: 'key' }
  const { prices } = readConfig({ ...env, MODEL_PRICES: '{"house-model":{"input":0.5,"output":2}}' })
  const usage = { input_tokens: 10, output_tokens: 10, cache_read_tokens: 100, cache_write_tokens: 0 }
  t.equal(prices.cost('house-model', usage), 5 + 20 + 5)
  t.equal(readConfig({ ANTHROPIC_MODEL: 'house-model' }).ANTHROPIC_MODEL, 'house-model')
})
