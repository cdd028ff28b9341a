import Contracts
import Domain
import Program

/// Partitions that did not answer the desk: what it says may be incomplete.
struct DeskMissed {
    private let addresses: [PartitionAddress]
    private let language: DeskLanguage

    init(_ addresses: Set<PartitionAddress>, _ language: DeskLanguage) {
        (self.addresses, self.language) = (addresses.sorted(), language)
    }

    /// - Throws: `CommandFailure` with exit code 3 that names them.
    func check() throws(CommandFailure) {
        guard !addresses.isEmpty else { return }
        let names = addresses.map(\.description).joined(separator: " ")
        let problem = DeskTexts.text(.incomplete, language).filled(["missed": names])
        throw CommandFailure(description: problem, exitCode: CommandFailure.incompleteCode, isSilence: true)
    }
}
