import { serveTasks } from '../../../lib/processes/serve-tasks.js'

const deepen = (depth: number): number => 1 + deepen(depth + 1)

export const operations = {
  add: (one: number, other: number): number => one + other,
  names: (values: ReadonlySet<string>, at: Date): string[] => [...values, at.toISOString()],
  fail: (message: string): never => { throw new Error(message) },
  pid: (): number => process.pid,
  wait: (ms: number): number => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
    return process.pid
  },
  deepen: (): number => deepen(0),
  loop: (): never => { for (;;); },
  fill: (): number => {
    const held: string[][] = []
    for (;;) held.push(Array.from({ length: 100_000 }, (_, at) => `${at} ${held.length}`))
  },
  environment: (): string[] => Object.keys(process.env).filter((name) => !name.startsWith('NODE_CHANNEL'))
}

if (process.send) serveTasks(operations)
