import { testEveryCase } from './every-case.ts'
import { hasWasmtime, runInWasmtime } from './run.ts'

testEveryCase('on wasmtime', hasWasmtime, runInWasmtime)
