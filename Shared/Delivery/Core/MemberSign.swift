/// What a watcher sees of a replica.
package struct MemberSign: Hashable, Sendable {
    package let member: GroupMember
    /// Rises while the replica lives.
    package let counter: Int64
    package let word: MemberWord
    /// Since when the counter stands still, in ms, by the clock of whoever keeps it; that clock may jump.
    package let silence: Int64

    package init(_ member: GroupMember, counter: Int64, word: MemberWord, silence: Int64 = 0) {
        self.member = member
        self.counter = counter
        self.word = word
        self.silence = silence
    }
}
