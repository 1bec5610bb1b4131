export const contentTabs: [label: string, href: string][] = [['Content', '/content'], ['Briefs', '/briefs']]
