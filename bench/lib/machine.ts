import { execFileSync } from 'node:child_process'
import { cpus, loadavg, release, totalmem } from 'node:os'

const git = (...args: string[]) => {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch { return '' }
}

const commit = () => {
  const hash = git('rev-parse', '--short', 'HEAD')
  return hash ? hash + (git('status', '--porcelain') ? ' + changes' : '') : 'unknown'
}

/** Where and when a run took place, for the head of its report. */
export const describeRun = (postgres: string | undefined): string => {
  const [cpu] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  return [
    `${cpus().length} × ${cpu?.model.trim()}, ${memory} GiB, ${process.platform} ${release()}`,
    `Node ${process.version}, PostgreSQL ${postgres ?? 'not reachable'}`,
    `${new Date().toISOString()}, commit ${commit()}, load ${loadavg()[0]!.toFixed(2)} at the start`
  ].join('  \n')
}
