import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from '../../../tap.js'
import { startAnthropicSandbox } from 'steward-sandbox/anthropic'
import { buildApp, makeFolder, type AppTest } from '../../../app.js'
import { chat, scripted, type Turn } from '../../../chat.js'
import { story } from '../../../routes/agent/story.js'

export const limits = {
  LIMITS: JSON.stringify({ model_idle_ms: 4_000, model_retry_base_ms: 1, live_runs_per_user: 50 })
}

/** What the clouds' libraries read by themselves; a machine's own would be used instead of the test's. */
const foreign = /^(AWS_|GOOGLE_|GCLOUD|GCE_|CLOUDSDK|ANTHROPIC_|CLOUD_ML|NO_GCE)/

/** Sets the environment of this process for those libraries, until the test ends. */
export const setEnvironment = (t: Pick<Test, 'teardown'>, given: Record<string, string>) => {
  const before = { ...process.env }
  for (const name of Object.keys(process.env)) if (foreign.test(name)) delete process.env[name]
  Object.assign(process.env, { AWS_EC2_METADATA_DISABLED: 'true', METADATA_SERVER_DETECTION: 'none' }, given)
  t.teardown(() => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
    Object.assign(process.env, before)
  })
}

/** A file by which Google's library gets tokens from the sandbox, for a workload of another provider. */
export const writeCredentials = (t: Pick<Test, 'teardown'>, url: string, subject: string): string => {
  const folder = makeFolder(t)
  const file = join(folder, 'credentials.json')
  writeFileSync(join(folder, 'subject'), subject)
  writeFileSync(file, JSON.stringify({
    type: 'external_account',
    audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/p',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: `${url}/google/token`,
    credential_source: { file: join(folder, 'subject') }
  }))
  return file
}

export type Sandbox = Awaited<ReturnType<typeof startAnthropicSandbox>>

export const startSandbox = async (t: Pick<Test, 'teardown'>): Promise<Sandbox> => {
  const sandbox = await startAnthropicSandbox({ delayMs: 0 })
  t.teardown(() => sandbox.close())
  return sandbox
}

/** Steward with a cloud that serves its model, and a way to talk to it by turns that the model has been given. */
export const startCloudApp = async (t: AppTest, anthropic: Sandbox,
  environment: Record<string, string>) => {
  const app = await buildApp(t, { ...limits, ...environment })
  const say = async (turns: Turn[], more: object = {}) => {
    const message = scripted(anthropic, turns)
    const reply = await chat(app, { message, ...more })
    // As it came by the wire.
    const asked = anthropic.control.requests(message)
    return { ...reply, asked, bodies: asked.map(({ body }) => body as Record<string, unknown>) }
  }
  return { app, say }
}

/** The story without how long a pause was, which is chance. */
export const tale = ({ frames }: Pick<Awaited<ReturnType<typeof chat>>, 'frames'>) => story(frames).map((entry) => {
  const { retry_after_ms: _, ...rest } = entry as Record<string, unknown>
  return typeof entry === 'string' ? entry : rest
})

export const retry = (code: string, message: string) =>
  ({ type: 'error', code, message: `${message} Trying again.`, fatal: false, retryable: true })

export const busy = retry('model_overloaded', 'The model is busy.')
export const broken = retry('model_stream_broken', 'The connection to the model broke.')
export const silent = retry('model_stream_stalled', 'The model fell silent.')
export const failing = retry('model_unavailable', 'The model provider failed.')
export const limited = retry('model_rate_limited', 'The model limits our requests.')

export const speech: Turn = { content: [{ type: 'text', text: 'Grüße, 12 services are fine 🚀.' }], chunk: 5 }
export const readCall = { type: 'tool_use' as const, name: 'listClusters', input: {} }
export const answering = (text: string): Turn => ({ content: [{ type: 'text', text }] })
