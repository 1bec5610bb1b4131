import type { Schemas } from '../../api/client'
import { field, optional, type Cell } from '../../parts/cell'
import { Choice, TextField } from '../../parts/form'
import { ListEditor } from '../../parts/list-editor'
import type { Brand } from './index'

/** A target as a request has it: a new one has no id, and only requests have the secret. */
type Target = Schemas['PutTarget']

const kinds = {
  webhook: 'Webhook', git_pr: 'Pull request', feed: 'Feed', wordpress: 'WordPress', ghost: 'Ghost'
} as const

/** The provider's own name of the credential. */
const secrets = { webhook: 'Secret (whsec_ …)', wordpress: 'Application password', ghost: 'Admin API key' }

/** A target that was read can be written back; the server gives a new one its id. */
const writable = (brand: Cell<Brand>): Cell<Target[]> => ({
  get value () { return brand.value.publish_targets },
  set value (next) { brand.value = { ...brand.value, publish_targets: next as Brand['publish_targets'] } }
})

const Config = ({ target }: { target: Cell<Target> }) => {
  const config = field(target, 'config')
  const { kind, secret_set: isKept } = target.value
  switch (kind) {
    case 'webhook': case 'wordpress': case 'ghost': return (
      <>
        <TextField label='Address' type='url' value={optional(config, 'url', '')} required maxLength={2000} />
        {kind === 'wordpress' &&
          <TextField label='User' value={optional(config, 'username', '')} required maxLength={100} />}
        <TextField
          label={isKept ? `${secrets[kind]} (kept when left empty)` : secrets[kind]}
          value={optional(target, 'secret', '')} autocomplete='off' maxLength={500}
        />
      </>
    )
    case 'git_pr': return (
      <>
        <TextField label='Repository id' value={optional(config, 'repo_id', '')} required pattern='[0-9]+' />
        <TextField
          label='File' placeholder='content/{channel}/{slug}.md' value={optional(config, 'path_template', '')}
        />
      </>
    )
    case 'feed': return (
      <>
        <TextField label='Title' value={optional(config, 'title', '')} maxLength={200} />
        <TextField label='Site' type='url' value={optional(config, 'site_url', '')} maxLength={2000} />
        <label class='check'><input
          type='checkbox' checked={config.value.public === true}
          onChange={({ currentTarget: { checked } }) => { optional(config, 'public', false).value = checked }}
        />Anybody may read it
        </label>
      </>
    )
  }
}

/** The targets to which approved content is published. */
export const Targets = ({ brand }: { brand: Cell<Brand> }) => <ListEditor
  label='Targets' one='target' of={writable(brand)}
  blank={(): Target => ({ kind: 'feed', name: '', enabled: true, channels: [], locales: [], config: {} })}
>
  {(target) => <>
    <TextField label='Name' value={field(target, 'name')} required maxLength={100} />
    <Choice label='Kind' value={field(target, 'kind')} options={kinds} />
    <Config target={target} />
    {target.value.disabled_reason && <p class='small'>Takes nothing: {target.value.disabled_reason}</p>}
  </>}
</ListEditor>
