import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { Copied } from '../../parts/copied'
import { Send } from '../../parts/icons'
import { formatLabel } from '../../parts/label'
import { Notice } from '../../parts/notice'
import { PageHtml } from '../../parts/page-html'
import { Picture } from '../../parts/picture'
import { Empty, Loaded } from '../../parts/states'
import { say, sayWith, type Key } from '../../texts/say'
import { translate } from '../../texts/translate'

type Content = Schemas['Content']
type Rendering = Schemas['ContentRendering']
type Problem = Rendering['problems'][number]

const problems = {
  dead_link: 'content.problem.deadLink',
  missing_alt: 'content.problem.missingAlt',
  too_long: 'content.problem.tooLong',
  nothing_to_show: 'content.problem.nothing',
  too_many_images: 'content.problem.tooMany',
  image_too_large: 'content.problem.tooLarge',
  alt_too_long: 'content.problem.altTooLong'
} as const satisfies Record<Problem['code'], Key>

const Problems = ({ found }: { found: Problem[] }) => found.length === 0
  ? null
  : <Notice tone='warn'>
    <ul>{found.map(({ code, part, address }, index) => <li key={index}>
      {address !== '' && <><code>{address}</code>{' '}</>}{address === '' && code === 'too_long' && `${part} `}
      {say(problems[code])}
    </li>)}
    </ul>
  </Notice>

const Images = ({ images }: Pick<Rendering, 'images'>) => images.length === 0
  ? null
  : <div class='pictures'>{images.map(({ url, alt }) => <Picture key={url} url={url} alt={alt} />)}</div>

/** Posts as a thread: the images are with the first one. */
const Posts = ({ rendering: { parts, images } }: { rendering: Rendering }) => <>
  {parts.map(({ name, text }, index) => <div key={name} class='post-preview'>
    <span>{text}</span>
    {index === 0 && <Images images={images} />}
  </div>)}
</>

const Part = ({ part: { name, media_type: type, text } }: { part: Rendering['parts'][number] }) => {
  if (type === 'text/html') return <PageHtml html={text} />
  if (type === 'text/plain' && !text.includes('\n')) {
    return text === '' ? null : <p><span class='muted small'>{formatLabel(name)}</span><br />{text}</p>
  }
  return <details><summary>{formatLabel(name)}</summary><pre class='file-preview' tabIndex={0}>{text}</pre></details>
}

const isThread = ({ kind }: Rendering): boolean => kind === 'mastodon' || kind === 'bluesky' || kind === 'linkedin'

const Target = ({ rendering }: { rendering: Rendering }) => {
  const { target_name: name, kind, destination, parts, images, problems: found } = rendering
  return (
    <section class='card stack' aria-label={name}>
      <div><h2>{name}</h2><span class='muted small'>{translate('rows', destination)}</span></div>
      <Problems found={found} />
      {isThread(rendering)
        ? <Posts rendering={rendering} />
        : <><Images images={images} />{parts.map((part) => <Part key={part.name} part={part} />)}</>}
      {kind === 'linkedin' && <Copied label={say('content.paste')} text={parts[0]?.text ?? ''} lines />}
    </section>
  )
}

/** What each target would get of the newest version, approved or not, as it will look. */
export const Preview = ({ content: { id, revision, head_version: version, project_id: project } }:
{ content: Content }) => {
  const shown = useResource([id, revision], (signal) =>
    body(api.GET('/content/{content_id}/renderings', { params: { path: { content_id: id } }, signal })))
  return (
    <Loaded of={shown}>
      {({ items }) => items.length === 0
        ? <Empty icon={Send} title={say('content.preview.none')}>
          {sayWith('content.preview.none.words', {
            link: <a href={`#/projects/${project}/targets`}>{say('content.preview.setUp')}</a>, version
          })}
        </Empty>
        : <div class='stack'>{items.map((one) => <Target key={one.target_id} rendering={one} />)}</div>}
    </Loaded>
  )
}
