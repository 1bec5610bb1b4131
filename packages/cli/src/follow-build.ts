import type { Schemas } from 'steward-client'
import type { Context } from './command.js'
import { Ended, exits } from './exits.js'
import type { Results } from './results.js'
import { patience } from './retries.js'
import { oneLine } from './text.js'

type Event = Schemas['BuildEvent']

const show = ({ terminal }: Context, event: Event, results: Results): void => {
  if (results.isJson) return results.json(event)
  if (event.type === 'log') return terminal.print(oneLine(event.text))
  if (event.type === 'step') {
    terminal.note(terminal.paint(`· ${event.step.name}: ${event.step.status}`, 'dim'))
  }
}

/** Follows a build to its end; Ctrl-C leaves it running. */
export const followBuild = async (context: Context, build: Schemas['Build'], results: Results): Promise<number> => {
  const { terminal, connection } = context
  const path = `/deployments/apps/${build.app_id}/builds/${build.id}`
  const controller = new AbortController()
  const stop = () => controller.abort()
  process.once('SIGINT', stop)
  const isLast = (event: Event) => event.type === 'end'
  const { signal } = controller
  const request = { ...patience(terminal), signal, isLast }
  try {
    for await (const { data } of connection.steward.follow<Event>(`${path}/logs`, request)) {
      show(context, data, results)
      if (data.type !== 'end') continue
      const reason = data.status_reason === null ? '' : `: ${oneLine(data.status_reason)}`
      terminal.note(`Build ${build.number} ${data.status}${reason}`)
      return data.status === 'succeeded' ? exits.done : exits.failed
    }
  } finally {
    process.off('SIGINT', stop)
  }
  const page = connection.page(`/apps/${build.app_id}/builds/${build.id}`)
  throw new Ended(exits.interrupted, `The build goes on: ${page}`)
}
