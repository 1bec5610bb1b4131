import { findApp } from '../applications.js'
import { given, type Command, type Option } from '../command.js'
import { buildAsProposed } from '../proposal.js'

/** Of the commands that start a build. */
export const buildOptions: Record<string, Option> = {
  digest: { value: 'DIGEST', summary: 'of the plan as it was read: starts it without asking' },
  detach: { short: 'd', summary: 'does not wait for its end' }
}

export const deploy: Command = {
  words: ['APP'],
  summary: 'shows what a deployment changes, asks you, and follows its build',
  options: {
    ref: { value: 'REF', summary: 'a branch, tag or commit' },
    commit: { value: 'HASH', summary: 'exactly this commit' },
    image: { value: 'IMAGE', summary: 'this image' },
    ...buildOptions
  },
  run: async (input) => {
    const app = await findApp(input.context, input.words[0] ?? '')
    const source = given({ ref: input.text('ref'), commit: input.text('commit'), image: input.text('image') })
    return buildAsProposed(input, app, 'deployApp', { app_id: app.id, ...source })
  }
}
