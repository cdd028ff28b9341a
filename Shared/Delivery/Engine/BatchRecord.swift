import Contracts

/// What a batch records for replays and traces.
extension Batch {
    /// Records a message with the time and the seed of its handler, so that a replay gives the same result alone.
    func record(_ kind: String, _ bytes: [UInt8]) {
        guard engine.settings.record != nil else { return }
        let settings = engine.settings
        let seed = settings.identifiers.restart()
        let context =
            #""now":"\#(moment.now.rfc3339)","partition":\#(settings.address.partition),"seed":\#(seed)"#
        recorded.append(#"{\#(context),"\#(kind)":\#(String(decoding: bytes, as: UTF8.self))}"#)
    }

    func writeTraceEntries() throws {
        for entry in context.traceEntries { try TraceEntryStore(connection: connection).add(entry) }
        context.traceEntries = []
    }
}
