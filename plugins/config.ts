import { Type, type Static, type StringOptions, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import fp from 'fastify-plugin'
import ipaddr from 'ipaddr.js'
import { readSignInRules, type SignInRule } from '../lib/codehost/sign-in-rules.js'
import { ModelPrices, PriceBook, ModelWindows, WindowBook } from '../lib/llm/windows.js'
import { providerKinds, readProvider, type ModelProvider } from '../lib/llm/read-provider.js'
import { checkObjects, objectSettings } from '../lib/objects/settings.js'
import { efforts, thinkingPattern } from '../schemas/agent/models.js'

const count = (value: number, description: string) => Type.Integer({ minimum: 1, default: value, description })
const usd = (value: number, description: string) => Type.Number({ minimum: 0, default: value, description })

/** Everything a caller can run into; `LIMITS` overrides single ones as a JSON object. */
export const Limits = Type.Object({
  message_bytes: count(32_768, 'size of one chat message'),
  context_tokens: count(200_000, 'of the model\'s window, how much one conversation may use'),
  model_calls_per_run: count(25, 'model calls of one run'),
  tool_calls_per_run: count(50, 'tool calls of one run'),
  tool_calls_per_turn: count(16, 'tool calls of one model turn'),
  parallel_reads: count(4, 'read tools that run at once in one turn'),
  repeated_calls: count(3, 'the same call with the same arguments in one run'),
  active_seconds_per_run: count(900, 'time a run may be running, without waiting'),
  source_patience_ms: count(5_000, 'how long a list waits for one cloud account in one region'),
  codehost_timeout_ms: count(10_000, 'one request to the code host'),
  webhooks_per_minute: count(6_000, 'signed webhooks, over all instances'),
  events_per_minute: count(600, 'events for one trigger, over all instances'),
  oauth_clients: count(1_000, 'programs that registered themselves'),
  oauth_registrations_per_hour: count(20, 'programs that register themselves from one address'),
  sign_ins_per_minute: count(120, 'steps of signing in with the code host from one address'),
  read_timeout_ms: count(30_000, 'one read tool'),
  preview_timeout_ms: count(30_000, 'what one write tool would do, as the question shows it'),
  write_timeout_ms: count(120_000, 'one write tool'),
  result_model_bytes: count(24_576, 'a tool result as the model sees it'),
  result_client_bytes: count(16_384, 'a tool result as the stream carries it'),
  result_stored_bytes: count(1_048_576, 'a tool result as it is kept'),
  model_idle_ms: count(60_000, 'silence of the model before the call is given up'),
  model_retry_base_ms: count(1_000, 'first pause before a broken model call is repeated'),
  confirmation_ttl_s: count(86_400, 'how long an approval waits'),
  pending_confirmations_per_session: count(10, 'approvals that wait in one session'),
  waiting_tool_calls_per_user: count(20, 'calls proposed by clients of one user that wait for approval'),
  wait_s: count(300, 'how long a stream stays open while approvals wait'),
  live_runs_per_user: count(3, 'runs of one user that are executed at once'),
  waiting_runs_per_user: count(50, 'runs of one user that wait for approvals'),
  live_runs_per_instance: count(2_500, 'runs that one instance executes at once; it answers 503 to more'),
  invocations_per_account: count(10, 'functions of one cloud account that one instance runs at once'),
  streams_per_user: count(10, 'open streams of one user on one instance'),
  stream_heartbeat_ms: count(15_000, 'how long an open stream is silent at most: then a comment shows that it lives'),
  stream_rights_ms: count(20_000, 'how often it is looked whether those who read streams still may'),
  requests_per_minute: count(600, 'requests of one person, through all browsers and tokens together'),
  plans_per_minute: count(120, 'plans of edited questions that one person has made'),
  refused_credentials_per_minute: count(300, 'requests of one address whose credentials are refused'),
  preferences_per_user: count(200, 'memory preferences of one user'),
  lease_ms: count(30_000, 'how long a run stays with an instance that does not renew'),
  idle_look_ms: count(15_000, 'how long work waits whose notification was missed; at most half of `lease_ms` counts'),
  crash_attempts: count(5, 'takeovers of one run before it fails'),
  budget_run_usd: usd(0.5, 'cost of one run before it asks'),
  budget_session_usd: usd(5, 'cost of one session before it asks'),
  budget_user_day_usd: usd(20,
    'cost of one user and day, whatever the model is asked for; ends the run or the generation'),
  budget_workspace_day_usd: Type.Optional(Type.Number({
    minimum: 0, description: 'cost of all users of one workspace and day; without it there is none'
  })),
  generation_usd: usd(5, 'cost of one generation of a spec or of content'),
  generation_output_tokens: count(200_000, 'tokens that the model may answer in one generation'),
  generation_model_calls: count(60, 'model calls of one generation'),
  generation_seconds: count(1_800, 'time of one generation')
}, { additionalProperties: false })
export type Limits = Static<typeof Limits>

const words = <T extends string>(values: T[], value: T | undefined, description: string) =>
  Type.Union(values.map((word) => Type.Literal(word)),
    { ...(value !== undefined && { default: value }), words: values, description })

const text = (description: string, rule: StringOptions = {}) => Type.Optional(Type.String({ ...rule, description }))
const url = (description: string) => text(description, { pattern: '^https?://[^\\s]+$' })
const modelRule = { pattern: '^[\\w.:/@-]{1,100}$' }
const printable = { pattern: '^[\\x21-\\x7e]+$' }

/** The whole environment. docs/configuration.md has it as a table, made of these descriptions; a test compares them. */
export const Environment = Type.Object({
  HOST: Type.String({ default: '127.0.0.1', description: 'the address it listens on; `0.0.0.0` for all' }),
  PORT: Type.Integer({ minimum: 0, maximum: 65_535, default: 3000, description: 'the port; 0 takes a free one' }),
  PUBLIC_URL: url('how browsers and webhooks reach it; https here makes cookies `Secure`, and passkeys are ' +
    'for its host name: another one later needs new ones. Without it, from `HOST` and `PORT`'),
  TRUST_PROXY: text('addresses or networks of the proxies in front, comma-separated: only their `X-Forwarded-*` ' +
    'headers are believed'),
  DATA_DIR: Type.String({
    default: './data', description: 'the embedded database, the generated key and the one-time link'
  }),
  DATABASE_URL: text('PostgreSQL, 15 or newer, instead of the embedded database. Several hosts, separated by commas: ' +
    'the one that takes writes', { pattern: '^postgres(ql)?://' }),
  DATABASE_DIRECT_URL: text('behind PgBouncer: the way past it, for what needs a session of its own',
    { pattern: '^postgres(ql)?://' }),
  DATABASE_PREPARED: words(['auto', 'true', 'false'], 'auto', 'whether statements are prepared. `auto`: where there ' +
    'is no `DATABASE_DIRECT_URL`; `true` suits PgBouncer 1.21 or newer with `max_prepared_statements`'),
  DATABASE_POOL: Type.Integer({
    minimum: 2,
    maximum: 200,
    default: 10,
    description: 'connections of this instance to PostgreSQL; one more listens'
  }),
  WORKER: words(['true', 'false', 'only'], 'true', '`false`: API only; `only`: background work only; `true`: both'),
  MODEL_PROVIDER: words([...providerKinds], 'anthropic', 'who serves the model: the Messages API, ' +
    'Amazon Bedrock, which needs `AWS_REGION`, or Vertex AI of Google Cloud, which needs `CLOUD_ML_REGION` and ' +
    '`ANTHROPIC_VERTEX_PROJECT_ID`; both need `ANTHROPIC_MODEL`'),
  ANTHROPIC_API_KEY: text('key of the Messages API; without it and a base URL the model is the sandbox',
    { minLength: 1 }),
  ANTHROPIC_BASE_URL: url('another server of the Messages API; with `MODEL_PROVIDER`, another of Bedrock or Vertex'),
  AWS_REGION: text('where Bedrock is asked'),
  AWS_BEARER_TOKEN_BEDROCK: text('key of Bedrock, for the model alone; without it, requests to Bedrock are signed ' +
    'with the credentials that the AWS SDK finds', printable),
  CLOUD_ML_REGION: text('where Vertex is asked, such as `us-east5`, or `global`'),
  ANTHROPIC_VERTEX_PROJECT_ID: text('the project of Google Cloud that asks Vertex, and pays',
    { pattern: '^[a-z][a-z0-9.:-]{1,62}$' }),
  ANTHROPIC_MODEL: Type.String({ default: 'claude-sonnet-5-5', description: 'the model that is asked' }),
  ANTHROPIC_TOOL_SEARCH: words(['auto', 'server', 'steward'], 'auto', 'who searches the tools that a model does not ' +
    'always have. `auto`: the provider, where its model can; on any other server, Steward'),
  ANTHROPIC_SMALL_MODEL: text('a cheaper model for the titles of chats, and for the notes when one is compacted; ' +
    'without it, the model of the chat. A workspace with a model of its own is asked with that alone', modelRule),
  ANTHROPIC_FALLBACK_MODEL: text('a second model, for chats while the first is overloaded, or gone', modelRule),
  ANTHROPIC_EFFORT: Type.Optional(words([...efforts], undefined, 'how much the model puts into answers of a chat: ' +
    '`low`, `medium`, `high`, `xhigh` or `max`, as far as it takes them. Without it nothing is sent, and the model ' +
    'has its own')),
  ANTHROPIC_THINKING: text('how the model thinks in a chat: `adaptive`, as it finds right; `disabled`; or a number: ' +
    'the tokens that it may think, 1,024 at least. Without it nothing is sent, and the model has its own',
  { pattern: thinkingPattern }),
  MODEL_PRICES: text('a JSON object of prices in US dollars per million tokens, for models that are not on the ' +
    'provider\'s list or cost you something else: `{"my-model":{"input":3,"output":15}}`, and where they differ ' +
    '`cache_read`, `cache_write`, `cache_write_5m`'),
  MODEL_WINDOWS: text('a JSON object of context windows in tokens, for models that are not on the provider\'s list: ' +
    '`{"my-model":32768}`; 128,000 is assumed for others'),
  AWS_ENDPOINT_URL: url('where every AWS client goes: tests, private endpoints'),
  CODEHOST_URL: url('an Enterprise Server; without it GitHub where there is a client id, and the sandbox where not'),
  CODEHOST_API_URL: url('its API, where that is not at `/api/v3`'),
  CODEHOST_CLIENT_ID: text('the application with which people sign in and connect', printable),
  CODEHOST_CLIENT_SECRET: text('its secret', printable),
  CODEHOST_SCOPES: text('what an OAuth App asks for, separated by spaces; a GitHub App has its permissions instead. ' +
    'Without it, `read:org` where there are rules', { pattern: '^[\\x21-\\x7e]+( [\\x21-\\x7e]+)*$' }),
  CODEHOST_SIGN_IN: text('who may sign in without an invitation: `organisation#number=role` or ' +
    '`organisation#number/team=role`, comma-separated'),
  CODEHOST_PKCE: words(['on', 'off'], 'on', '`off` for hosts that refuse PKCE'),
  CODEHOST_WEBHOOK_SECRET: text('what the code host signs its webhooks with; `new,old` while rotating'),
  OAUTH_REGISTRATION: words(['on', 'off'], 'on', '`off`: only programs with a document of their own are let in'),
  OUTBOUND_ALLOW: text('hosts, or host:port, comma-separated, that may be fetched from although they are not public'),
  SMTP_URL: text('the server by which people get mail, such as `smtps://user:password@mail.example.com`; without it ' +
    'there is none', { pattern: '^smtps?://[^\\s]+$' }),
  MAIL_FROM: text('the sender of mail, such as `steward@example.com`; with `SMTP_URL`',
    { pattern: '^[^\\s<>@,;:"]+@[^\\s<>@,;:"]+$' }),
  ...objectSettings,
  SLACK_BOT_TOKEN: text('the bot token of a Slack app, for approvals; with `SLACK_SIGNING_SECRET`', printable),
  SLACK_SIGNING_SECRET: text('what that app signs its requests with; `new,old` while rotating', printable),
  SLACK_API_URL: url('another server of the Web API: tests'),
  SECRET_KEY: text('encrypts stored secrets; 32 characters or more; `new,old` while rotating. Without it, generated ' +
    'in `DATA_DIR`', { pattern: '^[^,\\s]{32,}(,[^,\\s]{32,})*$' }),
  ADMIN_TOKEN: text('an admin\'s API token, 32 characters or more: for containers and scripts', { minLength: 32 }),
  SANDBOX: words(['auto', 'off'], 'auto', '`off`: no sandboxes, ever; what has no credentials is not configured'),
  LIMITS: text('a JSON object that overrides single limits, such as `{"budget_run_usd":1}`'),
  LOG_LEVEL: words(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info',
    'structured lines with ids, never bodies'),
  METRICS: words(['admin', 'open', 'off'], 'admin', 'who may read `/metrics`'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('where spans go; nothing of OpenTelemetry is loaded without it'),
  FAULT: text('tests only: `<point>:<n>` ends the process with SIGKILL at the n-th hit of a failpoint',
    { pattern: '^[a-z._-]+:[0-9]+$' })
})

export interface Config extends Omit<Static<typeof Environment>, 'LIMITS' | 'MODEL_PRICES' | 'MODEL_WINDOWS'> {
  /** Who is asked for answers; undefined = none is configured. */
  provider: ModelProvider | undefined
  prices: PriceBook
  windows: WindowBook
  signInRules: SignInRule[]
  /** Addresses and networks whose forwarded headers are believed. */
  proxies: string[]
  limits: Limits
  publicUrl: string
  /** Whether the environment itself carries AWS credentials, under any of the SDK's names. */
  awsAmbient: boolean
}

const awsNames = ['AWS_ACCESS_KEY_ID', 'AWS_PROFILE', 'AWS_ROLE_ARN', 'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI', 'AWS_CONTAINER_CREDENTIALS_FULL_URI']

const parse = <T extends TSchema>(schema: T, value: unknown, source: string): Static<T> => {
  const candidate = Value.Convert(schema, Value.Default(schema, value))
  if (Value.Check(schema, candidate)) return candidate
  const error = Value.Errors(schema, candidate).First()
  const name = error?.path.slice(1).replaceAll('/', '.') || source
  const allowed = error?.schema.words ? `: one of ${error.schema.words.join(', ')}` : `: ${error?.message}`
  throw new Error(`${source} ${name}${allowed}`)
}

const readJson = <T extends TSchema>(schema: T, text: string | undefined, name: string): Static<T> => {
  try {
    return parse(schema, text ? JSON.parse(text) : {}, name)
  } catch (error) {
    if (error instanceof SyntaxError) throw new Error(`${name} is not a JSON object`)
    throw error
  }
}

const modelNames = ['ANTHROPIC_MODEL', 'ANTHROPIC_SMALL_MODEL', 'ANTHROPIC_FALLBACK_MODEL'] as const

/** What configured models cost must be known: without a price, no budget holds. */
const requirePrice = (config: Omit<Static<typeof Environment>, 'LIMITS'>, prices: PriceBook): void => {
  for (const name of modelNames) {
    const model = config[name]
    if (model === undefined || prices.has(model)) continue
    const example = JSON.stringify({ [model]: { input: 3, output: 15 } })
    throw new Error(`Environment variable ${name}: the price of ${model} is not known; set MODEL_PRICES to US ` +
      `dollars per million tokens, such as ${example}`)
  }
}

const readProxies = (text = ''): string[] => {
  const entries = text.split(',').map((entry) => entry.trim()).filter((entry) => entry !== '')
  const wrong = entries.find((entry) => !ipaddr.isValid(entry) && !ipaddr.isValidCIDR(entry))
  if (wrong !== undefined) throw new Error(`Environment variable TRUST_PROXY: ${wrong} is no address and no network`)
  return entries
}

/** What is half set is a mistake, and is found before the first browser finds it. */
const checkCodehost = (config: Omit<Static<typeof Environment>, 'LIMITS'>): void => {
  const { CODEHOST_URL: url, CODEHOST_CLIENT_ID: id, CODEHOST_CLIENT_SECRET: secret } = config
  const needs = (name: string, other: string) => new Error(`Environment variable ${name} needs ${other} as well`)
  if (id && !secret) throw needs('CODEHOST_CLIENT_ID', 'CODEHOST_CLIENT_SECRET')
  if (secret && !id) throw needs('CODEHOST_CLIENT_SECRET', 'CODEHOST_CLIENT_ID')
  if (config.CODEHOST_API_URL && !url && !id) throw needs('CODEHOST_API_URL', 'CODEHOST_URL')
  for (const name of ['CODEHOST_SIGN_IN', 'CODEHOST_SCOPES'] as const) {
    if (config[name] && !id && (url || config.SANDBOX === 'off')) throw needs(name, 'CODEHOST_CLIENT_ID')
  }
  for (const name of ['CODEHOST_URL', 'CODEHOST_API_URL'] as const) {
    if (config[name] && !isPlainAddress(config[name])) {
      throw new Error(`Environment variable ${name}: an address without user, password, query and fragment`)
    }
  }
}

/** A channel that is half set up would fail at its first message. */
const checkChannels = (config: Omit<Static<typeof Environment>, 'LIMITS'>): void => {
  for (const [name, other] of [['SMTP_URL', 'MAIL_FROM'], ['SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET']] as const) {
    if (Boolean(config[name]) === Boolean(config[other])) continue
    const [given, missing] = config[name] ? [name, other] : [other, name]
    throw new Error(`Environment variable ${given} needs ${missing} as well`)
  }
}

const isPlainAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { username, password, search, hash } = new URL(text)
  return username + password + search + hash === ''
}

/**
 * Reads the whole configuration once. Nothing else reads the environment.
 * @throws Error with one line that names the variable and what it allows
 */
export const readConfig = (env: NodeJS.ProcessEnv): Config => {
  const given = Object.fromEntries(Object.keys(Environment.properties)
    .filter((name) => env[name] !== undefined && env[name] !== '').map((name) => [name, env[name]]))
  const { LIMITS, MODEL_PRICES, MODEL_WINDOWS, ...config } = parse(Environment, given, 'Environment variable')
  checkCodehost(config)
  checkChannels(config)
  checkObjects(config)
  // The standard model's name is that of the Messages API: for another provider it has to be given.
  const provider = readProvider({ ...config, ANTHROPIC_MODEL: env.ANTHROPIC_MODEL })
  const prices = new PriceBook(readJson(ModelPrices, MODEL_PRICES, 'MODEL_PRICES'))
  if (provider) requirePrice(config, prices)
  return Object.freeze({
    ...config,
    provider,
    prices,
    windows: new WindowBook(readJson(ModelWindows, MODEL_WINDOWS, 'MODEL_WINDOWS')),
    signInRules: readSignInRules(config.CODEHOST_SIGN_IN),
    proxies: readProxies(config.TRUST_PROXY),
    limits: Object.freeze(readJson(Limits, LIMITS, 'LIMITS')),
    publicUrl: config.PUBLIC_URL?.replace(/\/$/, '') ?? `http://${config.HOST}:${config.PORT}`,
    awsAmbient: awsNames.some((name) => env[name])
  })
}

const tableOf = (head: string, properties: Record<string, TSchema>): string => {
  const rows = Object.entries(properties).map(([name, { default: value, description = '' }]) =>
    `| \`${name}\` | ${value === undefined ? '–' : `\`${String(value)}\``} | ${description} |`)
  return [head, '|---|---|---|', ...rows, ''].join('\n')
}

/** @returns all that can be set, as the Markdown of docs/configuration.md */
export const describeConfig = (): string => [
  tableOf('| variable | default | |', Environment.properties),
  tableOf('| key of `LIMITS` | default | |', Limits.properties)
].join('\n')

declare module 'fastify' {
  interface FastifyInstance { config: Config }
}

export default fp<{ config: Config }>(async (app, { config }) => {
  app.decorate('config', config)
}, { name: 'config' })
