import type { Schemas } from '../../api/client'

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

const labels: Record<string, string> = {
  title: 'Title',
  summary: 'Summary',
  body_markdown: 'Text',
  'fields.subject': 'Subject',
  'fields.preheader': 'Preheader',
  'seo.title': 'Title for search',
  'seo.description': 'Description for search'
}

export const formatField = (field: string): string => {
  const post = /^fields\.posts\.(\d+)$/.exec(field)?.[1]
  return post === undefined ? labels[field] ?? field : `Post ${Number(post) + 1}`
}

type Finding = Schemas['ReportFinding']

export const tones = { error: 'bad', warn: 'warn', suggestion: 'info' } as const

/** @returns the id that connects a finding with its mark in the text */
export const idOf = (findings: Finding[], finding: Finding): string => `finding-${findings.indexOf(finding)}`
