import { itemsOf } from '../conversation.js'
import { plain } from '../render.js'
import { mentions, text } from './named.js'
import { read, want, type Skill, type Steps } from './skill.js'

const kinds = 'blog post|post|article|newsletter|e-?mail|landing page|announcement'
const subjects = '(?:about|on|for|that|:)?\\s*(.*)'
const asks = new RegExp(`\\b(?:draft|write|generate|compose)\\b.*?\\b(${kinds})\\b\\s*${subjects}`, 'i')
const channels: [string, RegExp][] = [['email', /newsletter|e-?mail/i], ['landing', /landing/i], ['blog', /./]]

/** A subject as a title: "our new dashboard." is "Our new dashboard". */
const titleOf = (subject: string): string => {
  const bare = subject.replace(/\b(in|for) (the )?project\b.*$/i, '').replace(/[\s.!?]+$/, '').trim()
  return bare.charAt(0).toUpperCase() + bare.slice(1, 200)
}

function * draft (message: string, kind: string, subject: string): Steps {
  const title = titleOf(subject)
  if (title === '') return `What shall the ${kind.toLowerCase()} be about?`
  const projects = itemsOf((yield * read('listProjects')).data) ?? []
  const named = projects.filter(({ name }) => mentions(message, text(name)))
  const [project, ...others] = named.length > 0 ? named : projects
  if (!project) return 'A draft belongs to a project, and there is none yet. Say "create a project called Blog" first.'
  if (others.length > 0) {
    return `For which project: ${[project, ...others].slice(0, 12).map(({ name }) => plain(text(name))).join(', ')}?`
  }
  const channel = channels.find(([, form]) => form.test(kind))?.[0] ?? 'blog'
  const points = [{ text: title, fact_ids: [] }]
  const brief = { title, key_message: title, points, channels: [{ channel, length: 'medium' }] }
  yield [{
    ...want('generateContent', { project_id: project.id, brief }),
    plan: `draft **${plain(title)}** for ${channel} in ${plain(text(project.name))}`
  }]
  return ''
}

/** "Draft a blog post about our new dashboard" */
export const drafts: Skill = (message) => {
  const [, kind, subject] = asks.exec(message) ?? []
  return kind === undefined || /[=~{]|release notes/i.test(message) ? undefined : draft(message, kind, subject ?? '')
}
