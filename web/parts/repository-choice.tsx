import { api, body } from '../api/client'
import { useResource } from '../api/resource'
import type { Cell } from './cell'
import { Choice } from './form'
import { say } from '../texts/say'

/** A select of the code host's repositories. */
export const RepositoryChoice = ({ value }: { value: Cell<string> }) => {
  const list = useResource([], (signal) =>
    body(api.GET('/codehost/repos', { params: { query: { limit: 100 } }, signal })))
  const named = Object.fromEntries((list.data?.items ?? []).map(({ id, full_name: name }) => [id, name]))
  return <Choice label={say('repository.label')} value={value} options={{ '': say('common.choose'), ...named }} />
}
