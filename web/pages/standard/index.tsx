import { useSignal } from '@preact/signals'
import { useLocation } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { StateBadge } from '../../parts/badge'
import { ConfirmDialog } from '../../parts/confirm-dialog'
import { Crumbs } from '../../parts/crumbs'
import { PageHead } from '../../parts/page-head'
import { Loaded } from '../../parts/states'
import { StandardForm, type StandardContent } from './standard-form'

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
      <PageHead title='New standard'>Rules for checking specs, with a text that explains them.</PageHead>
      <StandardForm standard={blank} verb='Create' save={save} />
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
      <button type='button' class='danger' onClick={() => { confirming.value = true }}>Take out of use</button>
      {confirming.value && <ConfirmDialog
        title='Take the standard out of use' verb='Take out' act={act} onClose={() => { confirming.value = false }}
      >“{standard.title}” is chosen for no further spec. Specs that pinned one of its versions still read it.
      </ConfirmDialog>}
    </>
  )
}

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
      <PageHead title={data.title} actions={<Delete standard={data} />}>
        <StateBadge state={data.status} /> v{data.version} · <code>{data.key}</code>
      </PageHead>
      <StandardForm key={data.revision} standard={data} verb='Save as a new version' save={save(data)} />
    </>}
    </Loaded>
  )
}

/** Edits one standard: its rules and its text. Every change is a version. */
export default function StandardPage ({ id }: { id: string }) {
  return (
    <div class='page'>
      <Crumbs to={[['Standards', '/standards']]} />
      {id === 'new' ? <New /> : <Existing id={id} />}
    </div>
  )
}
