export const specTabs: [label: string, href: string][] = [['Specs', '/specs'], ['Standards', '/standards']]
