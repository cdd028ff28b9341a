import Contracts
import Foundation
import Program

/// An operator of a benchmark's home.
enum DeskOperator {
    /// Adds one who may read; returns the key.
    static func add(to home: Home) throws -> String {
        let key = "benchmark-\(IdentifierText.random())"
        let one = Operator(
            id: OperatorID(random: UInt64.random(in: .min ... .max)),
            name: "benchmark",
            role: .read,
            key: key,
            addedAt: Timestamp(milliseconds: 0)
        )
        let bytes = try JSONEncoder().encode(OperatorRegister([one]))
        try bytes.write(to: URL(filePath: home.operatorsFile))
        return key
    }
}

private enum IdentifierText {
    static func random() -> String { String(UInt64.random(in: .min ... .max), radix: 16) }
}
