import Delivery
import Program

/// The right to be the one `counterfoil up` of a home; free as soon as its holder is gone.
struct GroupLock: ~Copyable {
    private let lock: FileLock

    /// Takes the right.
    ///
    /// - Throws: `CommandFailure` when another process has it.
    init(home: Home) throws {
        guard let lock = try FileLock.attempt(path: home.upLock) else {
            throw CommandFailure(
                description:
                    "`counterfoil up` runs already in \(home.root); end it with `counterfoil down --home "
                    + "\(home.root)`"
            )
        }
        self.lock = lock
    }
}
