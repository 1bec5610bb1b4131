import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Test } from '../tap.js'
import { makeFolder } from '../app.js'

const isFree = (port: number): Promise<boolean> => new Promise((resolve) => {
  const server = createServer().once('error', () => resolve(false))
  server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
})

/**
 * @returns a free port below the range that systems give to connections: an instance that was killed finds it
 *   free again when it restarts
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(10_000, 32_000)
    if (await isFree(port)) return port
  }
}

/** Resolves when the port accepts connections, or after 30 s. */
const listened = async (port: number): Promise<void> => {
  for (const end = Date.now() + 30_000; Date.now() < end;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
    if (isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** As an operator would write it: no sticky sessions, dead instances left out, nothing sent twice by the proxy. */
const configuration = (port: number, instances: number[], socket: string): string => `
global
  maxconn 4000
  stats socket ${socket} level admin
defaults
  mode http
  option redispatch
  retries 3
  retry-on conn-failure empty-response
  timeout connect 1s
  timeout client 60s
  timeout server 60s
  timeout http-request 10s
frontend people
  bind 127.0.0.1:${port}
  default_backend steward
backend steward
  balance roundrobin
  http-request disable-l7-retry unless METH_GET
  option httpchk GET /ready
  timeout check 3s
  default-server check inter 250ms fall 2 rise 1
${instances.map((one) => `  server at${one} 127.0.0.1:${one}`).join('\n')}
`

/** Debian's HAProxy over the instances' ports. `ask` gives a command to it, as an operator does. */
export const startControlledProxy = async (t: Pick<Test, 'teardown'>, instances: number[]) => {
  const port = await freePort()
  const folder = makeFolder(t)
  const file = join(folder, 'haproxy.cfg')
  const socket = join(folder, 'admin')
  writeFileSync(file, configuration(port, instances, socket))
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  const ended = new Promise<Error | undefined>((resolve) => {
    child.once('exit', () => resolve(undefined)).once('error', resolve)
  })
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const failed = await Promise.race([ended, listened(port).then(() => 'runs' as const)])
  if (failed !== 'runs') throw failed ?? new Error('HAProxy did not start: is its package installed?')
  const ask = async (command: string): Promise<string> => text(connect(socket).end(`${command}\n`))
  return { url: `http://127.0.0.1:${port}`, ask }
}

/** @returns the proxy's address */
export const startProxy = async (t: Pick<Test, 'teardown'>, instances: number[]): Promise<string> =>
  (await startControlledProxy(t, instances)).url
