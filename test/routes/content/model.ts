import { startAnthropicSandbox } from 'steward-sandbox/anthropic'
import { buildApp, type AppTest } from '../../app.js'
import { actor } from './actors.js'

/** A Steward with a model server that the test scripts; a retry does not wait long. */
export const buildWithModel = async (t: AppTest, more: Record<string, string> = {}) => {
  const model = await startAnthropicSandbox({ delayMs: 0 })
  t.teardown(() => model.close())
  const app = await buildApp(t, {
    ANTHROPIC_API_KEY: 'test-key',
    ANTHROPIC_BASE_URL: model.url,
    LIMITS: JSON.stringify({ model_retry_base_ms: 10 }),
    ...more
  })
  return { app, model }
}

type Model = Awaited<ReturnType<typeof buildWithModel>>['model']

/** The model's next answer to a task with these words. */
export const script = (model: Model, text: string, answer: unknown, more: object = {}) =>
  model.control.script({
    turns: [{ content: [{ type: 'text', text: JSON.stringify(answer) }], ...more }], match: { text }
  })

type App = Awaited<ReturnType<typeof buildWithModel>>['app']

export const modelActor = (app: App) => {
  const all = actor(app)
  const run = async (input: object, headers?: Record<string, string>) => {
    const answer = await all.post('/generate', { engine: 'anthropic', ...input }, { prefer: 'wait=60', ...headers })
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.payload}`)
    return answer.json()
  }
  return { ...all, run }
}
