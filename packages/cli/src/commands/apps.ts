import type { Schemas } from 'steward-client'
import { findApp, listApps, listBuilds } from '../applications.js'
import { fieldsOf, type Command } from '../command.js'
import { exits } from '../exits.js'
import type { Column } from '../results.js'
import { when } from '../text.js'

type App = Schemas['App']
type Build = Schemas['Build']

const appColumns: Column<App>[] = [
  { title: 'NAME', of: ({ name }) => name },
  { title: 'ENVIRONMENT', of: ({ environment }) => environment },
  { title: 'LIVE', of: ({ live_build: live }) => live?.number },
  { title: 'LATEST', of: ({ latest_build: latest }) => latest?.number },
  { title: 'STATUS', of: ({ latest_build: latest }) => latest?.status },
  { title: 'ID', of: ({ id }) => id }
]

const buildColumns: Column<Build>[] = [
  { title: 'BUILD', of: ({ number }) => number },
  { title: 'STATUS', of: ({ status }) => status },
  { title: 'REF', of: ({ ref }) => ref },
  { title: 'COMMIT', of: ({ commit }) => commit, shown: ({ commit }) => commit?.slice(0, 12) ?? '–' },
  { title: 'BY', of: ({ actor }) => actor },
  { title: 'BEGAN', of: ({ created_at }) => created_at, shown: ({ created_at }) => when(created_at) },
  { title: 'ID', of: ({ id }) => id }
]

const appFields = fieldsOf<App>()('id', 'name', 'source', 'target', 'environment', 'read_only', 'image', 'builder',
  'auto_deploy', 'live_build', 'latest_build', 'queue_length', 'revision', 'created_by', 'created_at', 'updated_at')
const buildFields = fieldsOf<Build>()('app_id', 'number', 'status', 'status_reason', 'trigger', 'ref', 'commit',
  'commit_message', 'actor', 'image_digest', 'rollback_of', 'published', 'superseded_by', 'steps', 'started_at',
  'finished_at', 'duration_ms')

export const apps: Command = {
  words: ['[APP]'],
  summary: 'lists the applications, or the builds of one',
  options: {},
  fields: [...appFields, ...buildFields],
  run: async ({ context, words: [name], results }) => {
    if (name === undefined) results.list(await listApps(context), appColumns, 'There are no applications.')
    else {
      const app = await findApp(context, name)
      results.list(await listBuilds(context, app), buildColumns, 'It has no builds.')
    }
    return exits.done
  }
}
