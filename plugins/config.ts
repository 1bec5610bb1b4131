import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import fp from 'fastify-plugin'
import { readSignInRules, type SignInRule } from './codehost/sign-in-rules.js'

const count = (value: number, description: string) => Type.Integer({ minimum: 1, default: value, description })
const usd = (value: number, description: string) => Type.Number({ minimum: 0, default: value, description })

/** Everything a caller can run into; `LIMITS` overrides single ones as a JSON object. */
export const Limits = Type.Object({
  message_bytes: count(32_768, 'size of one chat message'),
  model_calls_per_run: count(25, 'model calls of one run'),
  tool_calls_per_run: count(50, 'tool calls of one run'),
  tool_calls_per_turn: count(16, 'tool calls of one model turn'),
  parallel_reads: count(4, 'read tools that run at once in one turn'),
  repeated_calls: count(3, 'the same call with the same arguments in one run'),
  active_seconds_per_run: count(900, 'time a run may be running, without waiting'),
  codehost_timeout_ms: count(10_000, 'one request to the code host'),
  sign_ins_per_minute: count(120, 'steps of signing in with the code host from one address'),
  read_timeout_ms: count(30_000, 'one read tool'),
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
  live_runs_per_user: count(3, 'runs of one user that are live at once'),
  live_runs_per_instance: count(200, 'runs that one instance executes at once'),
  invocations_per_account: count(10, 'functions of one cloud account that one instance runs at once'),
  streams_per_user: count(10, 'open streams of one user on one instance'),
  requests_per_minute: count(600, 'requests of one principal'),
  refused_credentials_per_minute: count(300, 'requests of one address whose credentials are refused'),
  preferences_per_user: count(200, 'memory preferences of one user'),
  lease_ms: count(30_000, 'how long a run stays with an instance that does not renew'),
  crash_attempts: count(5, 'takeovers of one run before it fails'),
  budget_run_usd: usd(0.5, 'cost of one run before it asks'),
  budget_session_usd: usd(5, 'cost of one session before it asks'),
  budget_user_day_usd: usd(20, 'cost of one user and day; ends the run')
}, { additionalProperties: false })
export type Limits = Static<typeof Limits>

const words = <T extends string>(values: T[], value: T) =>
  Type.Union(values.map((word) => Type.Literal(word)), { default: value, words: values })

const Url = Type.String({ pattern: '^https?://[^\\s]+$' })
const Environment = Type.Object({
  HOST: Type.String({ default: '127.0.0.1' }),
  PORT: Type.Integer({ minimum: 0, maximum: 65_535, default: 3000 }),
  PUBLIC_URL: Type.Optional(Url),
  DATA_DIR: Type.String({ default: './data' }),
  DATABASE_URL: Type.Optional(Type.String({ pattern: '^postgres(ql)?://' })),
  DATABASE_POOL: Type.Integer({ minimum: 2, maximum: 200, default: 10 }),
  WORKER: words(['true', 'false', 'only'], 'true'),
  ANTHROPIC_API_KEY: Type.Optional(Type.String({ minLength: 1 })),
  ANTHROPIC_BASE_URL: Type.Optional(Url),
  ANTHROPIC_MODEL: Type.String({ default: 'claude-sonnet-5-5' }),
  AWS_ENDPOINT_URL: Type.Optional(Url),
  CODEHOST_URL: Type.Optional(Url),
  CODEHOST_API_URL: Type.Optional(Url),
  CODEHOST_CLIENT_ID: Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]+$' })),
  CODEHOST_CLIENT_SECRET: Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]+$' })),
  /** What an OAuth App asks for, separated by spaces; a GitHub App has its permissions instead. */
  CODEHOST_SCOPES: Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]+( [\\x21-\\x7e]+)*$' })),
  /** Who may sign in without an invitation: `organisation=role` or `organisation/team=role`, comma-separated. */
  CODEHOST_SIGN_IN: Type.Optional(Type.String()),
  CODEHOST_PKCE: words(['on', 'off'], 'on'),
  CODEHOST_WEBHOOK_SECRET: Type.Optional(Type.String()),
  /** Hosts, or host:port, comma-separated, that may be fetched from although they are not public. */
  OUTBOUND_ALLOW: Type.Optional(Type.String()),
  SECRET_KEY: Type.Optional(Type.String({ minLength: 32 })),
  ADMIN_TOKEN: Type.Optional(Type.String({ minLength: 32 })),
  SANDBOX: words(['auto', 'off'], 'auto'),
  /** Tests only: `<point>:<n>` ends the process with SIGKILL at the n-th crossing of a named point. */
  FAULT: Type.Optional(Type.String({ pattern: '^[a-z._-]+:[0-9]+$' })),
  LOG_LEVEL: words(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
  METRICS: words(['admin', 'open', 'off'], 'admin'),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(Url)
})

export interface Config extends Static<typeof Environment> {
  signInRules: SignInRule[]
  limits: Limits
  publicUrl: string
  /** Whether the environment itself carries AWS credentials, under any of the SDK's names. */
  awsAmbient: boolean
}

const awsNames = ['AWS_ACCESS_KEY_ID', 'AWS_PROFILE', 'AWS_ROLE_ARN', 'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI', 'AWS_CONTAINER_CREDENTIALS_FULL_URI']

const parse = <T extends TSchema>(schema: T, value: unknown, place: string): Static<T> => {
  const candidate = Value.Convert(schema, Value.Default(schema, value))
  const error = Value.Errors(schema, candidate).First()
  if (error) {
    const name = error.path.slice(1).replaceAll('/', '.') || place
    const allowed = error.schema.words ? `: one of ${error.schema.words.join(', ')}` : `: ${error.message}`
    throw new Error(`${place} ${name}${allowed}`)
  }
  // Value.Errors found nothing, so the candidate is of the schema's type.
  return candidate as Static<T>
}

const readLimits = (text: string | undefined): Limits => {
  try {
    return parse(Limits, text ? JSON.parse(text) : {}, 'LIMITS')
  } catch (error) {
    if (error instanceof SyntaxError) throw new Error('LIMITS is not a JSON object')
    throw error
  }
}

/** What is half set is a mistake, and is found before the first browser finds it. */
const checkCodehost = (config: Static<typeof Environment>): void => {
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
  const config = parse(Environment, given, 'Environment variable')
  checkCodehost(config)
  return Object.freeze({
    ...config,
    signInRules: readSignInRules(config.CODEHOST_SIGN_IN),
    limits: Object.freeze(readLimits(env.LIMITS)),
    publicUrl: config.PUBLIC_URL?.replace(/\/$/, '') ?? `http://${config.HOST}:${config.PORT}`,
    awsAmbient: awsNames.some((name) => env[name])
  })
}

declare module 'fastify' {
  interface FastifyInstance { config: Config }
}

export default fp<{ config: Config }>(async (app, { config }) => {
  app.decorate('config', config)
}, { name: 'config' })
