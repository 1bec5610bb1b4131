import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { Badge, formatWord, StateBadge, toneOf } from '../../parts/badge'
import { ContentProgress } from '../../parts/content-progress'
import { Crumbs } from '../../parts/crumbs'
import { Markdown } from '../../parts/markdown'
import { PageHead } from '../../parts/page-head'
import { Loaded } from '../../parts/states'
import { Tabs } from '../../parts/tabs'
import { Actions } from './actions'
import { Editor } from './editor'
import { Judged } from './judged'
import { Publications } from './publications'
import { Suggestions } from './suggestions'
import { Versions } from './versions'

type Content = Schemas['Content']
interface Props { id: string, tab?: string }

const tabs = {
  text: 'Text and findings', preview: 'Preview', edit: 'Edit', versions: 'Versions', publications: 'Publications'
}
type TabName = keyof typeof tabs
const isTab = (text: string): text is TabName => text in tabs

interface TabProps { tab: TabName, content: Content, onChange: () => void }

const Tab = ({ tab, content, onChange }: TabProps) => {
  switch (tab) {
    case 'text': return (
      <><Suggestions content={content} onChange={onChange} /><Judged content={content} onChange={onChange} /></>
    )
    case 'preview': return <article class='card'><Markdown text={content.body_markdown} /></article>
    case 'edit': return <Editor key={content.revision} content={content} onChange={onChange} />
    case 'versions': return <Versions content={content} onChange={onChange} />
    case 'publications': return <Publications content={content} onChange={onChange} />
  }
}

const Detail = ({ content, tab, onChange }: TabProps) => {
  const here = `/content/${content.id}`
  // The generation that is live now, or was live since the page opened.
  const followed = useSignal<string | undefined>(undefined)
  if (content.generation?.status === 'pending') followed.value = content.generation.id
  return (
    <>
      <PageHead title={content.title} actions={<Actions content={content} onChange={onChange} />}>
        <StateBadge state={content.status} />{' '}
        <Badge tone={toneOf(content.verdict)}>score {content.score}</Badge>{' '}
        {formatWord(content.network ?? content.channel)} · {content.locale} · v{content.head_version}
        {content.review_state !== content.status && <> · newest version: {formatWord(content.review_state)}</>}
      </PageHead>
      {followed.value && <ContentProgress key={followed.value} generation={followed.value} onEnd={onChange} />}
      <Tabs
        label='Parts of the record' current={`${here}/${tab}`}
        tabs={Object.entries(tabs).map(([name, label]) => [label, `${here}/${name}`])}
      />
      <Tab tab={tab} content={content} onChange={onChange} />
    </>
  )
}

const read = async (id: string, signal: AbortSignal): Promise<Content> => {
  const answer = await body(api.GET('/content/{content_id}', { params: { path: { content_id: id } }, signal }))
  // The response has the texts only if the request asks for them.
  return answer as Content
}

/** One record: its text with the findings, its versions, its review, and its publications. */
export default function ContentPage ({ id, tab = 'text' }: Props) {
  const content = useResource([id], (signal) => read(id, signal))
  return (
    <div class='page'>
      <Crumbs to={[['Content', '/content']]} />
      <Loaded of={content}>
        {(data) => <Detail content={data} tab={isTab(tab) ? tab : 'text'} onChange={content.reload} />}
      </Loaded>
    </div>
  )
}
