import Program

extension Home {
    /// Refuses a home whose stores are copies: another one of a partition's log would be no other history.
    ///
    /// - Throws: `ConfigurationError`.
    func checkStoresAreNoCopies() throws(ConfigurationError) {
        guard try Configuration(writtenIn: self).store != nil else { return }
        throw ConfigurationError(
            file: configurationFile,
            member: "store",
            problem: "keeps every commit in PostgreSQL: back that up and restore it, at one moment for all"
        )
    }
}
