import { useSignal } from '@preact/signals'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../../api/client'
import { useResource } from '../../../api/resource'
import { Preview } from '../../../approvals/preview'
import { ActionButton } from '../../../parts/action-button'
import { Badge } from '../../../parts/badge'
import { Diff } from '../../../parts/diff'
import { Choice } from '../../../parts/form'
import { FormDialog } from '../../../parts/form-dialog'
import { Loaded } from '../../../parts/states'
import { Table } from '../../../parts/table'
import { formatField } from '../fields'
import { say, sayWith } from '../../../texts/say'

type Content = Schemas['Content']
type Translation = Schemas['ContentTranslation']
interface Props { content: Content, of: Translation, onChange: () => void }

const show = (value: unknown): string => typeof value === 'string' ? value : JSON.stringify(value)

const link = (of: Translation, source_id: string | null, source_version?: number) =>
  body(api.PUT('/content/{content_id}/translation', {
    params: { path: { content_id: of.content_id }, header: { 'If-Match': `"r${of.revision}"` } },
    body: { source_id, ...(source_version !== undefined && { source_version }) }
  }))

const LinkDialog = ({ content, of, onChange, onClose }: Props & { onClose: () => void }) => {
  const source = useSignal('')
  const query = { project_id: content.project_id, limit: 100 }
  const found = useResource([content.id], (signal) => body(api.GET('/content', { params: { query }, signal })))
  const others = (found.data?.items ?? []).filter(({ id }) => id !== content.id)
  const named = others.map((one): [string, string] => [one.id, `${one.title} (${one.locale})`])
  const options = { '': say('common.choose'), ...Object.fromEntries(named) }
  const act = async () => {
    await link(of, source.value)
    onChange()
  }
  return (
    <FormDialog
      title={say('translation.what')} verb={say('common.save')} act={act} onClose={onClose}
      ready={source.value !== ''}
    >
      <Choice label={say('translation.source')} value={source} options={options} />
    </FormDialog>
  )
}

const Changes = ({ changes }: { changes: Schemas['ContentDiff'] }) => <>
  <h3>{say('translation.changed', { from: String(changes.from), to: String(changes.to) })}</h3>
  {changes.fields.length > 0 && <Preview
    rows={changes.fields.map(({ field, before, after }) =>
      ({ label: formatField(field), before: show(before), after: show(after) }))}
  />}
  <Diff parts={changes.body} label={say('translation.changes')} />
</>

const Source = ({ content, of, onChange }: Props) => {
  const linking = useSignal(false)
  const { source, source_changed: isChanged, source_version: version, changes } = of
  const after = (act: Promise<unknown>) => act.then(onChange)
  if (!source) {
    return (
      <section class='card stack' aria-label={say('translation.source')}>
        <p>{content.translation_of === null
          ? say('translation.none')
          : say('translation.deleted')}
        </p>
        <div>
          <button type='button' onClick={() => { linking.value = true }}>{say('translation.say')}</button>
        </div>
        {linking.value && <LinkDialog
          content={content} of={of} onChange={onChange} onClose={() => { linking.value = false }}
        />}
      </section>
    )
  }
  const named = <><Link href={`/content/${source.id}`}>{source.title}</Link> ({source.locale})</>
  return (
    <section class='card stack' aria-label={say('translation.source')}>
      <div class='row tight'>
        <span>{version === null
          ? sayWith('translation.of.unknown', { source: named })
          : sayWith('translation.of', { source: named, version: String(version) })}
        </span>
        <Badge tone={isChanged ? 'warn' : 'good'}>
          {say(isChanged ? 'translation.moved' : 'translation.current')}
        </Badge>
      </div>
      {isChanged && changes && <Changes changes={changes} />}
      <div class='row tight'>
        {isChanged && <ActionButton variant='primary' act={() => after(link(of, source.id, source.head_version))}>
          {say('translation.mark', { version: String(source.head_version) })}
        </ActionButton>}
        <ActionButton act={() => after(link(of, null))}>{say('translation.unlink')}</ActionButton>
      </div>
    </section>
  )
}

const Translations = ({ of: { translations } }: { of: Translation }) => translations.length === 0
  ? null
  : <section class='card flush' aria-label={say('translation.translations')}>
    <header><h2>{say('translation.translations')}</h2></header>
    <Table columns={[say('contents.title'), say('translation.language'), say('common.state')]}>
      {translations.map((one) => <tr key={one.id}>
        <td><Link href={`/content/${one.id}/translation`}>{one.title}</Link></td><td>{one.locale}</td>
        <td><Badge tone={one.source_changed ? 'warn' : 'good'}>
          {say(one.source_changed ? 'translation.behind' : 'translation.current')}
        </Badge>
        </td>
      </tr>)}
    </Table>
  </section>

/** What the record translates, with what changed there since, and what translates it. */
export const TranslationTab = ({ content, onChange }: { content: Content, onChange: () => void }) => {
  const found = useResource([content.id, content.revision], (signal) =>
    body(api.GET('/content/{content_id}/translation', { params: { path: { content_id: content.id } }, signal })))
  return (
    <div class='stack'>
      <Loaded of={found}>{(of) => <>
        <Source content={content} of={of} onChange={onChange} />
        <Translations of={of} />
      </>}
      </Loaded>
    </div>
  )
}
