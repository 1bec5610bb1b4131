import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { Test } from '../tap.js'
import { startAnthropicSandbox } from 'steward-sandbox/anthropic'
import { startAwsSandbox } from 'steward-sandbox/aws'
import { asAdmin, makeEnvironment } from '../app.js'

const root = process.cwd()

type Environment = Record<string, string>

export interface Exit { code: number | null, signal: NodeJS.Signals | null }

/** A Steward in a process of its own, as `npm start` runs it. */
export class Steward {
  output = ''
  errors = ''
  readonly exited: Promise<Exit>

  constructor (readonly child: ChildProcess) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => { this.output += text })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => { this.errors += text })
    this.exited = new Promise((resolve) => { child.once('exit', (code, signal) => resolve({ code, signal })) })
  }

  /** @returns where it listens, as soon as it logs that. @throws Error when it ends before */
  async listening (): Promise<string> {
    const announced = /listening at (http:\/\/[^"\s]+)/
    const found = new Promise<string>((resolve) => {
      const look = () => {
        const url = announced.exec(this.output)?.[1]
        if (url) resolve(url)
      }
      this.child.stdout?.on('data', look)
      look()
    })
    const ended = this.exited.then(({ code, signal }): never => {
      throw new Error(`It ended with ${signal ?? code} before it listened: ${this.errors}${this.output}`)
    })
    return Promise.race([found, ended])
  }

  kill (signal: NodeJS.Signals = 'SIGKILL'): Promise<Exit> {
    this.child.kill(signal)
    return this.exited
  }
}

const { PATH = '', NODE_COMPILE_CACHE } = process.env

/** What each has of this process's environment. With the compiled code, which CI keeps, a start takes a fifth less. */
const shared: Environment = {
  PATH,
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE })
}

/** Starts what `npm start` starts, with these settings and nothing else of this process's environment. */
export const launch = (t: Pick<Test, 'teardown'>, env: Environment, args: string[] = [], folder = root): Steward => {
  const child = spawn(process.execPath, [join(folder, 'dist', 'bundle', 'server.js'), ...args], {
    cwd: env.DATA_DIR ?? root,
    env: { ...shared, ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const steward = new Steward(child)
  t.teardown(() => steward.kill())
  return steward
}

/** A call in the journal of the sandbox of AWS. */
interface Call { sequence: number, executed: boolean, params: { desiredCount?: number } }

/**
 * One database and providers that outlive every process on it: the sandboxes run here, so their journals
 * survive a kill.
 */
export const makeWorld = async (t: Pick<Test, 'teardown'>, overrides: Environment = {}) => {
  const anthropic = await startAnthropicSandbox({ delayMs: 0 })
  t.teardown(() => anthropic.close())
  const aws = await startAwsSandbox()
  t.teardown(() => aws.close())
  const env: Environment = await makeEnvironment(t, {
    LOG_LEVEL: 'info',
    ANTHROPIC_API_KEY: 'test-key',
    ANTHROPIC_BASE_URL: anthropic.url,
    AWS_ENDPOINT_URL: aws.url,
    SANDBOX: 'off',
    LIMITS: JSON.stringify({ lease_ms: 1_500, model_retry_base_ms: 10 }),
    ...overrides
  })
  const start = async (more: Environment = {}) => {
    const steward = launch(t, { ...env, ...more })
    return { steward, url: await steward.listening() }
  }
  const control = async (path: string, body?: object) => {
    const answer = await fetch(`${aws.controlUrl}${path}`, body && {
      method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' }
    })
    return await answer.json() as { calls: Call[] }
  }
  /** @returns how many times a service was really changed, whether or not an answer arrived */
  const updates = async (): Promise<number> =>
    (await control('/calls?operation=UpdateService')).calls.filter((call) => call.executed).length
  /** @param delayMs between two pieces of the model's text */
  const speakSlowly = async (delayMs: number): Promise<void> => {
    await fetch(`${anthropic.controlUrl}/settings`, {
      method: 'POST', body: JSON.stringify({ delay_ms: delayMs }), headers: { 'content-type': 'application/json' }
    })
  }
  return { env, anthropic, aws, start, control, updates, speakSlowly }
}

export type World = Awaited<ReturnType<typeof makeWorld>>

/** Registers the sandbox's cloud account, as a person would: it is ambient here. */
export const addAccount = async (url: string): Promise<void> => {
  const answer = await fetch(`${url}/cloud/accounts`, {
    method: 'POST',
    headers: { ...asAdmin, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Sandbox', regions: ['eu-west-1', 'us-east-1'], auth: { type: 'ambient' } })
  })
  if (answer.status !== 201) throw new Error(`No cloud account: ${answer.status} ${await answer.text()}`)
}
