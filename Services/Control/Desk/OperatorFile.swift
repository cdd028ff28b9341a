import Contracts
import Delivery
import Domain
import FoundationEssentials
import Program

/// Changes `operators.json`: running gateways follow it.
struct OperatorFile {
    /// Bytes of a key, before they are written in hexadecimal.
    private static let keyBytes = 32
    private static let keyPrefix = "cfo_"

    let home: Home

    /// Adds an operator; the key is returned here alone.
    ///
    /// Whoever had a key under this name before stays the same operator, so that a new key makes no second person.
    ///
    /// - Throws: `CommandFailure` when somebody active has the name; `ConfigurationError`, `SystemFault`.
    func add(_ name: String, _ role: OperatorRole, at now: Timestamp) throws -> (key: String, Operator) {
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<Self.keyBytes).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let key = Self.keyPrefix + bytes.hexadecimal
        let newID = OperatorID(random: random.next())
        let added = try change { register in
            guard !register.operators.contains(where: { $0.name == name && $0.revokedAt == nil }) else {
                throw CommandFailure.usage(
                    "\(name) has a key already; revoke it first, or choose another name"
                )
            }
            let known = register.operators.last { $0.name == name }
            let added = Operator(id: known?.id ?? newID, name: name, role: role, key: key, addedAt: now)
            register.operators.append(added)
            return added
        }
        return (key, added)
    }

    /// Revokes the key of whoever has this name or id.
    ///
    /// - Throws: `CommandFailure` when nobody active has it; `ConfigurationError`, `SystemFault`.
    func revoke(_ named: String, at now: Timestamp) throws -> Operator {
        try change { register in
            let place = register.operators.firstIndex {
                $0.revokedAt == nil && ($0.name == named || $0.id.rawValue == named)
            }
            guard let place else {
                throw CommandFailure(
                    description: "no operator \(named) has a key; see `counterfoil operator list`"
                )
            }
            register.operators[place].revokedAt = now
            return register.operators[place]
        }
    }

    private func change<Value>(_ change: (inout OperatorRegister) throws -> Value) throws -> Value {
        if let problem = FileAccess.ownershipProblem(home.root) {
            throw ConfigurationError(file: home.root, problem: problem)
        }
        guard FileManager.default.fileExists(atPath: home.configurationFile) else {
            let advice = "is no home; make one with `counterfoil init`, or correct --home"
            throw ConfigurationError(file: home.root, problem: advice)
        }
        // Held until the new file is in place: of two commands at once neither loses what the other has written.
        guard let lock = try FileLock.attempt(path: home.operatorsFile + ".lock") else {
            throw CommandFailure(description: "another `counterfoil operator` is at work; try again")
        }
        var register = try OperatorRegister(of: home)
        let value = try change(&register)
        try DurableFile.replace(home.operatorsFile, with: home.encoded(register))
        _ = consume lock
        return value
    }
}
