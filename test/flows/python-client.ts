import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Test } from '../tap.js'

/** Debian's, which has the packages of Debian. */
const python = '/usr/bin/python3'

export const hasHttpx = (): boolean => spawnSync(python, ['-c', 'import httpx']).status === 0

/** Follows one request after the other, each of which is a line of its input, and prints each event as a line. */
const script = `
import json, sys, httpx
sys.path.insert(0, sys.argv[1])
from steward_sse import follow
with httpx.Client(timeout=60) as client:
    for line in sys.stdin:
        asked = json.loads(line)
        for id, event in follow(client, asked['url'], asked['body'], asked['headers'], 0.001):
            print(json.dumps({'id': id, 'event': event['type'], 'data': event}), flush=True)
`

interface Followed { id: string, event: string, data: Record<string, unknown> }

/** @returns a client of httpx, as the example has it, in one process for all requests */
export const startPython = (t: Pick<Test, 'teardown'>) => {
  const child = spawn(python, ['-c', script, join(process.cwd(), 'examples/clients')])
  t.teardown(() => child.kill())
  let complaint = ''
  child.stderr.on('data', (piece: Buffer) => { complaint += piece.toString() })
  const lines = createInterface({ input: child.stdout })
  return (request: { url: string, body: string, headers: Record<string, string> }, take: (one: Followed) => boolean) =>
    new Promise<void>((resolve, reject) => {
      const onLine = (line: string) => {
        // The script above wrote it.
        if (!take(JSON.parse(line) as Followed)) return
        lines.off('line', onLine)
        resolve()
      }
      lines.on('line', onLine)
      child.once('exit', () => reject(new Error(complaint)))
      child.stdin.write(`${JSON.stringify({ ...request, body: JSON.parse(request.body) as object })}\n`)
    })
}
