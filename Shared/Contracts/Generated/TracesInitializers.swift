// Generated from the declarations of contracts by Tests/TidyTests/ContractCode.swift. To write it anew:
// swift -D GENERATE Tests/TidyTests/ContractCode.swift
//
// The compiler makes an initializer of the same members that other modules do not see. The last parameter,
// which no call names, tells the two apart.

extension Trace {
    package init(entries: [Entry] = [], related: Set<String> = [], _: Void = ()) {
        self.entries = entries
        self.related = related
    }
}

extension TraceV1 {
    package init(identifiers: [String], _: Void = ()) {
        self.identifiers = identifiers
    }
}
