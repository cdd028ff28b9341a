import Testing

/// Something that happens in a run, and the counters of the report that must rise, each as often as it is named.
struct StagedFault<Story>: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let faults: [String: Int]
    let happen: @Sendable (inout Story) -> Void

    init(_ name: String, _ counters: String..., happen: @escaping @Sendable (inout Story) -> Void) {
        testDescription = name
        faults = counters.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        self.happen = happen
    }
}
