import { AsyncLocalStorage } from 'node:async_hooks'
import { ChildProcess } from 'node:child_process'
import { Server, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Node has the handles that keep a process alive under this name; its types do not. */
const { _getActiveHandles: activeHandles } = process as unknown as { _getActiveHandles: () => object[] }

/** The file on whose behalf code runs: what a file shares with others runs on nobody's. */
const owner = new AsyncLocalStorage<string>()
const timers = new Map<NodeJS.Timeout, string>()

/** @returns whether a test file is among what runs now */
const isOfTest = (): boolean => {
  const { prepareStackTrace } = Error
  // Without the way back to the sources, which would be sought for each timer.
  Error.prepareStackTrace = (_error, calls) => {
    for (const call of calls) if (/\.(test|deep|browser|chaos)\.js$/.test(call.getFileName() ?? '')) return true
    return false
  }
  const found = new Error().stack as unknown // What the line before returns.
  Error.prepareStackTrace = prepareStackTrace
  return found === true
}

/** The file that runs has a workspace in an application of the process, which starts timers when it likes. */
let isSharing = false

const record = (timer: NodeJS.Timeout): NodeJS.Timeout => {
  const file = owner.getStore()
  if (file !== undefined && (!isSharing || isOfTest())) timers.set(timer, file)
  return timer
}

/** Records from now on which file starts a timer. */
export const watchTimers = (): void => {
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const start: (...args: never[]) => NodeJS.Timeout = globalThis[name]
    const watched = (...args: never[]) => record(start(...args))
    // It takes what the function takes that it calls, and has its properties.
    globalThis[name] = Object.defineProperties(watched, Object.getOwnPropertyDescriptors(start)) as never
  }
}

/** From now on the file shares an application. */
export const setSharing = (): void => { isSharing = true }

/** Runs what belongs to the process rather than to the file that asks for it first. */
export const runForProcess = <T>(work: () => T): T => owner.exit(work)
export const runForFile = <T>(file: string, work: () => T): T => owner.run(file, work)

const portOf = (server: Server): number | undefined => {
  const address = server.address()
  return typeof address === 'object' ? address?.port : undefined
}

const describe = (handle: object): string =>
  handle instanceof Server
    ? `a server on port ${portOf(handle)}`
    : handle instanceof Socket
      ? `a connection ${handle.localPort} → ${handle.remotePort}`
      : handle instanceof ChildProcess ? `the process ${handle.spawnargs.join(' ')}` : handle.constructor.name

/** What belongs to the process: a connection to it, or from it, may come and go. */
const shared = new Set<object>()

const handlersOf = (name: string | symbol): object[] => process.rawListeners(name)
/** One of pino's packages has a handler for all streams there are, which it drops when the last has been collected. */
const isOfLogs = (handler: object): boolean => /^function onExit\b[^]*\bcallRefs\(/.test(String(handler))
const listHandlers = (): string[] => process.eventNames().flatMap((name) =>
  handlersOf(name).filter((one) => !shared.has(one) && !isOfLogs(one)).map((_, at) => `handler ${at + 1} of ${String(name)}`))
const listVariables = (): string[] => Object.entries(process.env).map(([name, value]) => `variable ${name}=${value}`)
/** Packages leave such names when they are first used: AWS's client of Lambda, zod, TypeScript's helpers. */
const isOfPackage = (name: string): boolean => name === 'awslambda' || name.startsWith('__')
const listGlobals = (): string[] => Object.getOwnPropertyNames(globalThis).filter((name) => !isOfPackage(name))
  .map((name) => `global ${name}`)

const takeSnapshot = () => ({
  names: new Set([...listHandlers(), ...listVariables(), ...listGlobals()]),
  handles: new Set(activeHandles())
})

const databasePort = Number(new URL(process.env.TEST_DATABASE_URL ?? 'none:').port || 5432)
const sharedPorts = (): Set<unknown> =>
  new Set([...[...shared].map((one) => one instanceof Server ? portOf(one) : undefined), databasePort])

const isShared = (handle: object, ports = sharedPorts()): boolean => shared.has(handle) ||
  (handle instanceof Socket && (handle.destroyed || ports.has(handle.localPort) || ports.has(handle.remotePort)))

/** Starts what all files of the process share; what it opens is not counted as a file's. */
export const share = <T>(start: () => Promise<T>): Promise<T> => runForProcess(async () => {
  // Who starts a browser also hears when the process ends, so as to end it.
  const list = (): object[] => [...activeHandles(), ...process.eventNames().flatMap(handlersOf)]
  const before = new Set(list())
  const started = await start()
  for (const one of list()) if (!before.has(one)) shared.add(one)
  return started
})

/** `fetch` keeps connections, which are no file's: they are closed between files. */
const closeFetch = async (): Promise<void> => {
  const agent = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1')) as
    { constructor: new () => object, destroy: () => Promise<void> } | undefined // Undici's contract.
  if (agent === undefined) return
  Reflect.set(globalThis, Symbol.for('undici.globalDispatcher.1'), new agent.constructor())
  await agent.destroy()
}

const graceMs = 5_000
const pauseMs = 20

/** @returns a function that says what a file has left behind, once what is about to close has closed */
export const watchFile = (file: string): () => Promise<string[]> => {
  const before = takeSnapshot()
  isSharing = false
  const find = (): string[] => {
    const after = takeSnapshot()
    const ports = sharedPorts()
    const alive = [...timers].filter(([timer, of]) =>
      of === file && timer.hasRef() && Reflect.get(timer, '_destroyed') !== true)
    return [
      ...[...after.names].filter((name) => !before.names.has(name)),
      ...[...before.names].filter((name) => !after.names.has(name)).map((name) => `no ${name}`),
      ...[...after.handles].filter((one) => !before.handles.has(one) && !isShared(one, ports)).map(describe),
      ...alive.map(([timer]) => `a timer of ${Reflect.get(timer, '_idleTimeout')} ms`)
    ]
  }
  return async () => {
    await closeFetch()
    const until = Date.now() + graceMs
    while (find().length > 0 && Date.now() < until) await sleep(pauseMs)
    const left = find()
    timers.clear()
    return left
  }
}
