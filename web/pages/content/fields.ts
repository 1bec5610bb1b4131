import type { Schemas } from '../../api/client'
import { say, type Key } from '../../texts/say'

type Content = Schemas['Content']

type Named = [field: string, text: string]

/** @returns the texts that the brand checks, by the field name in the findings, in reading order */
export const textsOf = ({ title, summary, body_markdown: text, fields, seo }: Content): Named[] => {
  const posts = fields.posts ?? []
  const all: Named[] = [
    ['title', title],
    ['summary', summary ?? ''],
    ['fields.subject', fields.subject ?? ''],
    ['fields.preheader', fields.preheader ?? ''],
    ...posts.map((post, index): Named => [`fields.posts.${index}`, post.text]),
    ['body_markdown', text ?? ''],
    ['seo.title', seo.title ?? ''],
    ['seo.description', seo.description ?? '']
  ]
  return all.filter(([, text]) => text !== '')
}

const labels: Partial<Record<string, Key>> = {
  title: 'contents.title',
  summary: 'content.summary',
  body_markdown: 'content.text',
  'fields.subject': 'content.subject',
  'fields.preheader': 'content.preheader',
  'seo.title': 'content.field.searchTitle',
  'seo.description': 'content.field.searchDescription'
}

export const formatField = (field: string): string => {
  const post = /^fields\.posts\.(\d+)$/.exec(field)?.[1]
  if (post !== undefined) return say('content.post', { number: Number(post) + 1 })
  return labels[field] ? say(labels[field]) : field
}

type Finding = Schemas['ReportFinding']

export const tones = { error: 'bad', warn: 'warn', suggestion: 'info' } as const

/** @returns the id that connects a finding with its mark in the text */
export const idOf = (findings: Finding[], finding: Finding): string => `finding-${findings.indexOf(finding)}`
