import { useSignal } from '@preact/signals'
import { useLocation } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { StateBadge } from '../../parts/badge'
import { ConfirmDialog } from '../../parts/confirm-dialog'
import { Crumbs } from '../../parts/crumbs'
import { PageHead } from '../../parts/page-head'
import { Loaded } from '../../parts/states'
import { titleOf } from './kinds'
import { CopyStandard, ReadOnlyStandard } from './read-only'
import { StandardForm, type StandardContent } from './standard-form'
import { say } from '../../texts/say'

type Standard = Schemas['Standard']

const blank: StandardContent = { title: '', description: '', kind: 'ruleset', body_markdown: '', rules: [] }

const New = () => {
  const [, navigate] = useLocation()
  const save = async (standard: StandardContent) => {
    const made = await body(api.POST('/pse/standards', { body: standard }))
    navigate(`/standards/${made.standard_id}`)
  }
  return (
    <>
      <PageHead title={say('standard.new')}>{say('standard.new.words')}</PageHead>
      <StandardForm standard={blank} verb={say('specs.create')} save={save} />
    </>
  )
}

const Delete = ({ standard }: { standard: Standard }) => {
  const confirming = useSignal(false)
  const [, navigate] = useLocation()
  const act = async () => {
    await body(api.DELETE('/pse/standards/{standard}', { params: { path: { standard: standard.standard_id } } }))
    navigate('/standards')
  }
  return (
    <>
      <button type='button' class='danger' onClick={() => { confirming.value = true }}>
        {say('standard.takeOut.open')}
      </button>
      {confirming.value && <ConfirmDialog
        title={say('standard.takeOut.title')} verb={say('standard.takeOut')} act={act}
        onClose={() => { confirming.value = false }}
      >{say('standard.takeOut.words', { title: standard.title })}
      </ConfirmDialog>}
    </>
  )
}

const isBuiltin = ({ source }: Standard): boolean => source === 'builtin'

const Existing = ({ id }: { id: string }) => {
  const standard = useResource([id], (signal) =>
    body(api.GET('/pse/standards/{standard}', { params: { path: { standard: id } }, signal })))
  const save = (current: Standard) => async (next: StandardContent) => {
    const params = { path: { standard: id }, header: { 'If-Match': `"r${current.revision}"` } }
    const { scope, tags, extends: parents, overrides } = current
    // The request replaces the whole standard: members without a field here keep their values.
    const whole = { scope, tags, extends: parents, overrides, ...next }
    await body(api.PUT('/pse/standards/{standard}', { params, body: whole }))
    standard.reload()
  }
  return (
    <Loaded of={standard}>{(data) => <>
      <PageHead
        title={titleOf(data)}
        actions={isBuiltin(data) ? <CopyStandard standard={data} /> : <Delete standard={data} />}
      >
        <StateBadge state={data.status} /> v{data.version} · <code>{data.key}</code>
      </PageHead>
      {isBuiltin(data)
        ? <ReadOnlyStandard standard={data} />
        : <StandardForm key={data.revision} standard={data} verb={say('standard.save')} save={save(data)} />}
    </>}
    </Loaded>
  )
}

/** Edits one standard: its rules and its text. Every change is a version. */
export default function StandardPage ({ id }: { id: string }) {
  return (
    <div class='page'>
      <Crumbs to={[[say('palette.standards'), '/standards']]} />
      {id === 'new' ? <New /> : <Existing id={id} />}
    </div>
  )
}
