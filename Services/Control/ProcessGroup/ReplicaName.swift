/// One running copy of a program, written `orders.0`.
struct ReplicaName: Hashable, Comparable, CustomStringConvertible, Sendable {
    let program: GroupProgram
    let number: Int

    var description: String { "\(program.rawValue).\(number)" }

    static func < (left: ReplicaName, right: ReplicaName) -> Bool {
        (left.program.rawValue, left.number) < (right.program.rawValue, right.number)
    }
}
