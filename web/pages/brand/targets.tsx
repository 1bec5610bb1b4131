import type { Schemas } from '../../api/client'
import { asLines, asWords, field, optional, type Cell } from '../../parts/cell'
import { AreaField, Choice, TextField } from '../../parts/form'
import { ListEditor } from '../../parts/list-editor'
import type { Brand } from './index'

/** A target as a request has it: a new one has no id, and only requests have the secret. */
type Target = Schemas['PutTarget']

const kinds = {
  webhook: 'Webhook',
  git_pr: 'Pull request',
  feed: 'Feed',
  wordpress: 'WordPress',
  ghost: 'Ghost',
  mail: 'E-mail',
  mastodon: 'Mastodon',
  bluesky: 'Bluesky',
  linkedin: 'LinkedIn, as a text'
} as const

/** The provider's own name of the credential. */
const secrets = {
  webhook: 'Secret (whsec_ …)',
  wordpress: 'Application password',
  ghost: 'Admin API key',
  mastodon: 'Access token',
  bluesky: 'App password'
}

/** A target that was read can be written back; the server gives a new one its id. */
const writable = (brand: Cell<Brand>): Cell<Target[]> => ({
  get value () { return brand.value.publish_targets },
  set value (next) { brand.value = { ...brand.value, publish_targets: next as Brand['publish_targets'] } }
})

const Mail = ({ config }: { config: Cell<Target['config']> }) => (
  <>
    <AreaField label='Recipients, one in each line' value={asLines(optional(config, 'recipients', []))} rows={3} />
    <TextField label='Answers go to' type='email' value={optional(config, 'reply_to', '')} maxLength={254} />
    <TextField
      label='Where readers unsubscribe' type='url' value={optional(config, 'unsubscribe_url', '')} maxLength={2000}
    />
  </>
)

const visibilities = { public: 'Everybody', unlisted: 'Everybody, but in no list', private: 'Followers' } as const

const Wordpress = ({ config }: { config: Cell<Target['config']> }) => (
  <>
    <TextField
      label='Categories, by their slugs' placeholder='news, products'
      value={asWords(optional(config, 'categories', []))}
    />
    <TextField
      label='Author, by the slug' placeholder='the user' value={optional(config, 'author', '')} maxLength={100}
    />
    <label class='check'><input
      type='checkbox' checked={config.value.draft === true}
      onChange={({ currentTarget: { checked } }) => { optional(config, 'draft', false).value = checked }}
    />Make drafts, which an editor publishes there
    </label>
    <p class='small'>The first image of a record is the featured one.</p>
  </>
)

const channels = {
  blog: 'Blog', social: 'Social', email: 'E-mail', docs: 'Docs', landing: 'Landing page', release_notes: 'Release notes'
} as const

/** What the target takes: of nothing chosen, all. */
const Takes = ({ target }: { target: Cell<Target> }) => {
  const chosen = optional(target, 'channels', [])
  // The keys of the record are the channels.
  const names = Object.keys(channels) as (keyof typeof channels)[]
  return (
    <details class='whole-row'><summary>What it takes</summary>
      <fieldset class='row tight'>
        <legend>Channels, all when none is chosen</legend>
        {names.map((name) => <label key={name} class='check'><input
          type='checkbox' checked={chosen.value.includes(name)} onChange={({ currentTarget: { checked } }) => {
            chosen.value = checked ? [...chosen.value, name] : chosen.value.filter((one) => one !== name)
          }}
        />{channels[name]}
        </label>)}
      </fieldset>
      <TextField
        label='Locales, all when empty' placeholder='en, de-CH' value={asWords(optional(target, 'locales', []))}
      />
    </details>
  )
}

const Config = ({ target }: { target: Cell<Target> }) => {
  const config = field(target, 'config')
  const { kind, secret_set: isKept } = target.value
  switch (kind) {
    case 'webhook': case 'wordpress': case 'ghost': case 'mastodon': case 'bluesky': return (
      <>
        <TextField label='Address' type='url' value={optional(config, 'url', '')} required maxLength={2000} />
        {(kind === 'wordpress' || kind === 'bluesky') &&
          <TextField
            label={kind === 'bluesky' ? 'Handle' : 'User'} value={optional(config, 'username', '')} required
            maxLength={253}
          />}
        <TextField
          label={isKept ? `${secrets[kind]} (kept when left empty)` : secrets[kind]}
          value={optional(target, 'secret', '')} autocomplete='off' maxLength={500}
        />
        {kind === 'wordpress' && <Wordpress config={config} />}
        {kind === 'mastodon' &&
          <Choice label='Who sees the posts' value={optional(config, 'visibility', 'public')} options={visibilities} />}
      </>
    )
    case 'linkedin': return <p class='small'>The preview of a record has the text to paste.</p>
    case 'mail': return <Mail config={config} />
    case 'git_pr': return (
      <>
        <TextField label='Repository id' value={optional(config, 'repo_id', '')} required pattern='[0-9]+' />
        <TextField label='Branch to merge into' placeholder='the default branch' value={optional(config, 'base', '')} />
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
    <Takes target={target} />
    <label class='check'><input
      type='checkbox' checked={target.value.enabled !== false}
      onChange={({ currentTarget: { checked } }) => { target.value = { ...target.value, enabled: checked } }}
    />Takes what is published
    </label>
    {target.value.disabled_reason && <p class='small'>Takes nothing: {target.value.disabled_reason}</p>}
  </>}
</ListEditor>
