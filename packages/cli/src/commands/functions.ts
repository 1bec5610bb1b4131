import { allOf, body, itemsOf, type Schemas } from 'steward-client'
import { fieldsOf, given, type Command } from '../command.js'
import { reportErrors } from '../sources.js'
import { when } from '../text.js'

type Lambda = Schemas['ServerlessFunction']

const shownAt = ({ last_modified: at }: Lambda): string => at === null ? '–' : when(at)

export const functions: Command = {
  words: [],
  summary: 'lists the serverless functions',
  options: {
    account: { value: 'ID', summary: 'only this cloud account' },
    region: { value: 'REGION', summary: 'only this region' }
  },
  fields: fieldsOf<Lambda>()('id', 'arn', 'name', 'account_id', 'account_name', 'environment', 'read_only', 'region',
    'runtime', 'package_type', 'architectures', 'memory_mb', 'timeout_s', 'code_size', 'last_modified', 'description',
    'version', 'log_group', 'env_keys', 'console_url'),
  run: async (input) => {
    const { context: { terminal, connection }, results } = input
    const where = given({ account_id: input.text('account'), region: input.text('region') })
    const errors: Schemas['SourceError'][] = []
    terminal.progress('Reading the functions …')
    const load = async (cursor: string | undefined) => {
      const page = await body(connection.steward.api.GET('/infrastructure/serverless/functions', {
        params: { query: { ...where, limit: 100, ...(cursor !== undefined && { cursor }) } }
      }))
      errors.push(...page.errors)
      return page
    }
    results.list(await allOf(itemsOf(load)), [
      { title: 'NAME', of: ({ name }) => name },
      { title: 'REGION', of: ({ region }) => region },
      { title: 'RUNTIME', of: ({ runtime, package_type: type }) => runtime ?? type },
      { title: 'MEMORY', of: ({ memory_mb: memory }) => memory, shown: ({ memory_mb: memory }) => `${memory} MB` },
      { title: 'CHANGED', of: ({ last_modified: at }) => at, shown: shownAt },
      { title: 'ID', of: ({ id }) => id }
    ], 'There are no functions.')
    return reportErrors(terminal, errors)
  }
}
