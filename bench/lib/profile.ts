import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { table } from './table.js'

interface Node { id: number, callFrame: { functionName: string, url: string, lineNumber: number } }
interface CpuProfile { nodes: Node[], startTime: number, samples: number[], timeDeltas: number[] }
type Sums = Map<string, number>
export interface Window { from: bigint, to: bigint }

/** The package, or the file of ours, that a frame belongs to. */
const owner = (url: string, name: string): string => {
  const installed = url.split('/node_modules/').at(-1)
  if (url.includes('/node_modules/') && installed) {
    return installed.split('/').slice(0, installed.startsWith('@') ? 2 : 1).join('/')
  }
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/')
  if (url.startsWith('wasm:')) return 'wasm'
  return /\/dist\/(.+)$/.exec(url)?.[1] ?? (url || name || '(native)')
}

const add = (sums: Sums, key: string, micros: number) => sums.set(key, (sums.get(key) ?? 0) + micros)

const collect = (profile: CpuProfile, { from, to }: Window, groups: Sums, functions: Sums) => {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node.callFrame]))
  let at = profile.startTime
  profile.samples.forEach((id, index) => {
    const micros = profile.timeDeltas[index] ?? 0
    at += micros
    const frame = nodes.get(id)
    if (!frame || frame.functionName === '(idle)' || at < Number(from / 1000n) || at > Number(to / 1000n)) return
    const group = owner(frame.url, frame.functionName)
    add(groups, group, micros)
    add(functions, `${frame.functionName || '(anonymous)'} ${group}:${frame.lineNumber + 1}`, micros)
  })
}

const top = (title: string, sums: Sums, count: number) => {
  const all = [...sums.values()].reduce((sum, micros) => sum + micros, 0)
  const rows = [...sums].sort((a, b) => b[1] - a[1]).slice(0, count)
    .map(([name, micros]) => [name, (micros / 1000).toFixed(0), `${(100 * micros / all).toFixed(1)} %`])
  return table([title, 'self ms', 'share'], rows)
}

/** Self time within a window of the monotonic clock, from every `.cpuprofile` in a folder. */
export const summarize = (folder: string, window: Window): string => {
  const groups = new Map<string, number>()
  const functions = new Map<string, number>()
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))) {
    collect(JSON.parse(readFileSync(join(folder, name), 'utf8')), window, groups, functions)
  }
  if (groups.size === 0) return 'No profile was written: the server did not end by itself.'
  return [top('package or file', groups, 20), top('function', functions, 30)].join('\n\n')
}
