import Contracts

/// What a batch notes beside its effects: for those who replay a message, and for those who trace one.
extension Batch {
    /// Records a message with all that its handler will be given: the time, and a seed of its own for new ids, so that
    /// it comes to the same again whatever goes before it.
    func record(_ kind: String, _ bytes: [UInt8]) {
        guard engine.settings.record != nil else { return }
        let settings = engine.settings
        let seed = settings.identifiers.restart()
        let context =
            #""now":"\#(moment.now.rfc3339)","partition":\#(settings.address.partition),"seed":\#(seed)"#
        recorded.append(#"{\#(context),"\#(kind)":\#(String(decoding: bytes, as: UTF8.self))}"#)
    }

    /// Writes the entries of traces that no row shows.
    func writeTraceEntries() throws {
        for entry in context.traceEntries { try TraceEntryStore(connection: connection).add(entry) }
        context.traceEntries = []
    }
}
