export const contentTabs: [label: string, href: string][] = [
  ['Content', '/content'], ['Desk', '/content/desk'], ['Calendar', '/content/calendar'], ['Briefs', '/briefs']
]
