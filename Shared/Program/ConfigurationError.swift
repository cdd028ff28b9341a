package import Contracts

/// What is wrong with a file of the home, where, and what to do, in one line.
package struct ConfigurationError: ProgramError, Hashable {
    package let file: String
    /// Nil when the fault concerns the whole file.
    package let place: JSONText.Place?
    /// The member, such as `apps[0].keys[1].secret`; nil when the fault concerns the whole file.
    package let member: String?
    package let problem: String
    /// Whether what is named does not answer now, and may be right all the same.
    package let isTemporary: Bool

    package init(
        file: String,
        place: JSONText.Place? = nil,
        member: String? = nil,
        problem: String,
        isTemporary: Bool = false
    ) {
        self.file = file
        self.place = place
        self.member = member
        self.problem = problem
        self.isTemporary = isTemporary
    }

    package var exitCode: Int32 { isTemporary ? Launch.temporaryCode : Launch.usageCode }

    package var description: String {
        [file, place?.description, member, problem].compactMap(\.self).joined(separator: ": ")
    }
}
