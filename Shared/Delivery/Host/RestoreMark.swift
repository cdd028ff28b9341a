import FoundationEssentials

/// The file by which `counterfoil restore` says that it is at work, or was interrupted.
///
/// It appears before the first change of a store, and goes when the last one is durable. In between, stores may be
/// missing or older than the others, so that nobody opens one.
package struct RestoreMark: Sendable {
    /// What to say when it is set.
    package static let problem =
        "a restore is under way or was interrupted; run `counterfoil restore` again"

    package let path: String

    package init(dataFolder: String) { path = dataFolder + "/restoring" }

    /// Whether stores of the home may be half restored.
    package var isSet: Bool { FileManager.default.fileExists(atPath: path) }
}
