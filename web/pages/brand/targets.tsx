import type { Schemas } from '../../api/client'
import { asLines, asWords, field, optional, type Cell } from '../../parts/cell'
import { AreaField, Choice, TextField } from '../../parts/form'
import { ListEditor } from '../../parts/list-editor'
import { kinds } from '../content/kinds'
import { channels } from '../contents/channels'
import type { Brand } from './index'
import { say, sayEach } from '../../texts/say'

/** A target as a request has it: a new one has no id, and only requests have the secret. */
type Target = Schemas['PutTarget']

/** The provider's own name of the credential. */
const secrets = {
  webhook: 'brand.secret',
  wordpress: 'brand.secret.wordpress',
  ghost: 'brand.secret.ghost',
  mastodon: 'brand.secret.mastodon',
  bluesky: 'brand.secret.bluesky'
} as const

/** A target that was read can be written back; the server gives a new one its id. */
const writable = (brand: Cell<Brand>): Cell<Target[]> => ({
  get value () { return brand.value.publish_targets },
  set value (next) { brand.value = { ...brand.value, publish_targets: next as Brand['publish_targets'] } }
})

const Mail = ({ config }: { config: Cell<Target['config']> }) => (
  <>
    <AreaField label={say('brand.recipients')} value={asLines(optional(config, 'recipients', []))} rows={3} />
    <TextField label={say('brand.replyTo')} type='email' value={optional(config, 'reply_to', '')} maxLength={254} />
    <TextField
      label={say('brand.unsubscribe')} type='url' value={optional(config, 'unsubscribe_url', '')} maxLength={2000}
    />
  </>
)

const visibilities = {
  public: 'brand.seen.public', unlisted: 'brand.seen.unlisted', private: 'brand.seen.private'
} as const

const Wordpress = ({ config }: { config: Cell<Target['config']> }) => (
  <>
    <TextField
      label={say('brand.categories')} placeholder={say('brand.categories.example')}
      value={asWords(optional(config, 'categories', []))}
    />
    <TextField
      label={say('brand.author')} placeholder={say('brand.author.default')} value={optional(config, 'author', '')}
      maxLength={100}
    />
    <label class='check'><input
      type='checkbox' checked={config.value.draft === true}
      onChange={({ currentTarget: { checked } }) => { optional(config, 'draft', false).value = checked }}
    />{say('brand.drafts')}
    </label>
    <p class='small'>{say('brand.featured')}</p>
  </>
)

/** What the target takes: of nothing chosen, all. */
const Takes = ({ target }: { target: Cell<Target> }) => {
  const chosen = optional(target, 'channels', [])
  // The keys of the record are the channels.
  const names = Object.keys(channels) as (keyof typeof channels)[]
  return (
    <details class='whole-row'><summary>{say('brand.takes')}</summary>
      <fieldset class='row tight'>
        <legend>{say('brand.takes.channels')}</legend>
        {names.map((name) => <label key={name} class='check'><input
          type='checkbox' checked={chosen.value.includes(name)} onChange={({ currentTarget: { checked } }) => {
            chosen.value = checked ? [...chosen.value, name] : chosen.value.filter((one) => one !== name)
          }}
        />{say(channels[name])}
        </label>)}
      </fieldset>
      <TextField
        label={say('brand.takes.locales')} placeholder='en, de-CH' value={asWords(optional(target, 'locales', []))}
      />
    </details>
  )
}

type Signed = keyof typeof secrets

/** A target that is called at an address, with a credential of its own. */
const Site = ({ target, kind }: { target: Cell<Target>, kind: Signed }) => {
  const config = field(target, 'config')
  const secret = say(secrets[kind])
  return (
    <>
      <TextField
        label={say('brand.address')} type='url' value={optional(config, 'url', '')} required maxLength={2000}
      />
      {(kind === 'wordpress' || kind === 'bluesky') &&
        <TextField
          label={say(kind === 'bluesky' ? 'brand.handle' : 'brand.user')} value={optional(config, 'username', '')}
          required maxLength={253}
        />}
      <TextField
        label={target.value.secret_set ? say('brand.secret.kept', { secret }) : secret}
        value={optional(target, 'secret', '')} autocomplete='off' maxLength={500}
      />
      {kind === 'wordpress' && <Wordpress config={config} />}
      {kind === 'mastodon' &&
        <Choice
          label={say('brand.seen')} value={optional(config, 'visibility', 'public')} options={sayEach(visibilities)}
        />}
    </>
  )
}

const Config = ({ target }: { target: Cell<Target> }) => {
  const config = field(target, 'config')
  const { kind } = target.value
  switch (kind) {
    case 'webhook': case 'wordpress': case 'ghost': case 'mastodon': case 'bluesky':
      return <Site target={target} kind={kind} />
    case 'linkedin': return <p class='small'>{say('brand.linkedin.words')}</p>
    case 'mail': return <Mail config={config} />
    case 'git_pr': return (
      <>
        <TextField
          label={say('brand.repository')} value={optional(config, 'repo_id', '')} required pattern='[0-9]+'
        />
        <TextField
          label={say('brand.base')} placeholder={say('brand.base.default')} value={optional(config, 'base', '')}
        />
        <TextField
          label={say('brand.file')} placeholder='content/{channel}/{slug}.md'
          value={optional(config, 'path_template', '')}
        />
      </>
    )
    case 'feed': return (
      <>
        <TextField label={say('brand.feed.title')} value={optional(config, 'title', '')} maxLength={200} />
        <TextField
          label={say('brand.feed.site')} type='url' value={optional(config, 'site_url', '')} maxLength={2000}
        />
        <label class='check'><input
          type='checkbox' checked={config.value.public === true}
          onChange={({ currentTarget: { checked } }) => { optional(config, 'public', false).value = checked }}
        />{say('brand.feed.public')}
        </label>
      </>
    )
  }
}

/** The targets to which approved content is published. */
export const Targets = ({ brand }: { brand: Cell<Brand> }) => <ListEditor
  label={say('brand.targets')} one={say('brand.target.one')} of={writable(brand)}
  blank={(): Target => ({ kind: 'feed', name: '', enabled: true, channels: [], locales: [], config: {} })}
>
  {(target) => <>
    <TextField label={say('common.name')} value={field(target, 'name')} required maxLength={100} />
    <Choice label={say('common.kind')} value={field(target, 'kind')} options={sayEach(kinds)} />
    <Config target={target} />
    <Takes target={target} />
    <label class='check'><input
      type='checkbox' checked={target.value.enabled !== false}
      onChange={({ currentTarget: { checked } }) => { target.value = { ...target.value, enabled: checked } }}
    />{say('brand.target.enabled')}
    </label>
    {target.value.disabled_reason &&
      <p class='small'>{say('brand.target.disabled', { reason: target.value.disabled_reason })}</p>}
  </>}
</ListEditor>
