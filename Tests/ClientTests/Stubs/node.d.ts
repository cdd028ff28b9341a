// What the sample in JavaScript uses of Node.js.
declare module "node:crypto" { export function randomUUID(): string }
declare module "node:fs" {
  export function closeSync(file: number): void;
  export function existsSync(path: string): boolean;
  export function fsyncSync(file: number): void;
  export function openSync(path: string, flags: string): number;
  export function readFileSync(path: string, encoding: "utf8"): string;
  export function renameSync(from: string, to: string): void;
  export function writeSync(file: number, text: string): number;
}
declare module "node:path" { export function join(...parts: string[]): string }
declare module "node:readline" { export function createInterface(o: { input: unknown }): AsyncIterable<string> }
declare const process: { env: Record<string, string | undefined>; stdin: unknown; exit(code: number): never };
