export interface ExportFile { path: string, content: string }
